/** Variables of the environment; Grafana sets those of its proxy. */
export type Environment = Readonly<Record<string, string | undefined>>;
