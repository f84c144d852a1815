/** Metrics whose values belong to other parts and are read at each scrape. */
import { Counter, Gauge, type Registry } from 'prom-client';

export class ScrapedMetrics {
  private readonly registers: Registry[];

  constructor(registry: Registry) {
    this.registers = [registry];
  }

  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: this.registers,
      collect() {
        this.set(read());
      },
    });
  }

  /** One value for each value of the label. */
  gaugeBy<V extends string>(name: string, help: string, label: string, values: readonly V[], read: Read<V>): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: this.registers,
      collect() {
        for (const value of values) this.set({ [label]: value }, read(value));
      },
    });
  }

  /** @param read returns the count since the start */
  counter(name: string, help: string, read: () => number): void {
    new Counter({
      name,
      help,
      registers: this.registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }

  /** One count for each value of the label. */
  counterBy<V extends string>(name: string, help: string, label: string, values: readonly V[], read: Read<V>): void {
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: this.registers,
      collect() {
        this.reset();
        for (const value of values) this.inc({ [label]: value }, read(value));
      },
    });
  }
}

type Read<V> = (value: V) => number;
