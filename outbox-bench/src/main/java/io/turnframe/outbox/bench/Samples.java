package io.turnframe.outbox.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Measured values in the order of their rounds, at least one.
 *
 * @param values none of them is sorted away: an outlier is a value, too
 */
record Samples(List<Double> values) {
    /** The chance that an interval does not hold the median of what was sampled, at most. */
    private static final double MISSES = 0.07;

    Samples {
        values = List.copyOf(values);
        if (values.isEmpty()) {
            throw new IllegalArgumentException("there are no samples");
        }
    }

    /** From the one value to the other, both included. */
    record Interval(double low, double high) {}

    /** The middle value, or the mean of the two in the middle. */
    double median() {
        List<Double> sorted = sorted();
        int size = sorted.size();
        return (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2;
    }

    /** The least and the greatest. */
    Interval spread() {
        return new Interval(Collections.min(values), Collections.max(values));
    }

    /** The smallest value that a share of all, 0 to 1, is not above. */
    double percentile(double share) {
        int rank = (int) Math.ceil(share * values.size());
        return sorted().get(Math.max(0, rank - 1));
    }

    /** Each value by that of {@code others} in the same round. */
    Samples ratiosTo(Samples others) {
        if (others.values.size() != values.size()) {
            throw new IllegalArgumentException(
                    values.size() + " rounds cannot be compared with " + others.values.size());
        }
        return new Samples(IntStream.range(0, values.size())
                .mapToObj(round -> values.get(round) / others.values.get(round))
                .toList());
    }

    /**
     * Holds the median of what was sampled in at least 93 of 100 cases, whatever its distribution: from the k-th least to
     * the k-th greatest, by the binomial distribution. With fewer than five samples no interval does; then it is all of them.
     */
    Interval medianInterval() {
        List<Double> sorted = sorted();
        int size = sorted.size();
        double chance = Math.pow(0.5, size);
        double missed = 2 * chance;
        int drop = 0;
        while (drop + 1 < size / 2) {
            chance *= (double) (size - drop) / (drop + 1);
            missed += 2 * chance;
            if (missed > MISSES) {
                break;
            }
            drop++;
        }
        return new Interval(sorted.get(drop), sorted.get(size - 1 - drop));
    }

    private List<Double> sorted() {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted;
    }
}
