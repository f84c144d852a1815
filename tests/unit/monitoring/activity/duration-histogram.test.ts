import fc from 'fast-check';
import { addDuration, addHistogram, createHistogram, quantileMs } from '#server/monitoring/activity/duration-histogram';

const durations = fc.array(fc.double({ min: 0.05, max: 100_000, noNaN: true }), { minLength: 1, maxLength: 200 });

function histogramOf(all: readonly number[]) {
  const histogram = createHistogram();
  for (const ms of all) addDuration(histogram, ms);
  return histogram;
}

it('a quantile is at most 19 % beside the true one', () => {
  fc.assert(
    fc.property(durations, fc.constantFrom(0.5, 0.95, 1), (all, share) => {
      const sorted = [...all].sort((a, b) => a - b);
      const exact = sorted[Math.max(1, Math.ceil(sorted.length * share)) - 1]!;
      const found = quantileMs(histogramOf(all), share)!;
      expect(found / exact).toBeGreaterThan(0.84);
      expect(found / exact).toBeLessThan(1.2);
    })
  );
});

it('the sum of two histograms is the histogram of both', () => {
  fc.assert(
    fc.property(durations, durations, (some, others) => {
      const sum = histogramOf(some);
      addHistogram(sum, histogramOf(others));
      expect(sum).toEqual(histogramOf([...some, ...others]));
    })
  );
});

it('no duration is out of range', () => {
  expect(quantileMs(createHistogram(), 0.95)).toBeNull();
  expect(quantileMs(histogramOf([0]), 0.95)).toBeLessThanOrEqual(0.05);
  expect(quantileMs(histogramOf([1e12]), 0.95)).toBeGreaterThan(90_000);
});
