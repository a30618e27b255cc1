package io.turnframe.outbox.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnframe.outbox.bench.Samples.Interval;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SamplesTest {
    @Test
    void takesTheMiddleOfAnOddNumber() {
        assertThat(samples(9, 1, 5).median()).isEqualTo(5);
    }

    @Test
    void takesTheMeanOfTheTwoInTheMiddle() {
        assertThat(samples(9, 1, 5, 7).median()).isEqualTo(6);
    }

    @Test
    void spreadsFromTheLeastToTheGreatest() {
        assertThat(samples(9, 1, 5).spread()).isEqualTo(new Interval(1, 9));
    }

    @Test
    void ranksPercentiles() {
        Samples hundred = upTo(100);

        assertThat(hundred.percentile(0.5)).isEqualTo(50);
        assertThat(hundred.percentile(0.99)).isEqualTo(99);
        assertThat(hundred.percentile(1)).isEqualTo(100);
        assertThat(hundred.percentile(0)).isEqualTo(1);
    }

    @Test
    void comparesRoundByRound() {
        // The machine was half as fast in the second round: the ratio says nothing of it.
        assertThat(samples(80, 40, 88).ratiosTo(samples(100, 50, 110)).values()).containsExactly(0.8, 0.8, 0.8);
    }

    @Test
    void refusesToCompareWhatHadOtherRounds() {
        assertThatThrownBy(() -> samples(1, 2).ratiosTo(samples(1))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesToBeEmpty() {
        assertThatThrownBy(() -> new Samples(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void needsAllOfFewSamplesForTheInterval() {
        assertThat(samples(3, 1, 2).medianInterval()).isEqualTo(new Interval(1, 3));
        // 1 - 2 / 2^5: 93.75 of 100.
        assertThat(upTo(5).medianInterval()).isEqualTo(new Interval(1, 5));
        assertThat(upTo(7).medianInterval()).isEqualTo(new Interval(1, 7));
    }

    @Test
    void leavesOutTheOutermostOnceThereAreEnough() {
        // Of 8, without the least and the greatest: 1 - 2 * 9 / 2^8, 92.97 of 100; of 9: 1 - 2 * 10 / 2^9.
        assertThat(upTo(8).medianInterval()).isEqualTo(new Interval(1, 8));
        assertThat(upTo(9).medianInterval()).isEqualTo(new Interval(2, 8));
        assertThat(upTo(20).medianInterval()).isEqualTo(new Interval(6, 15));
    }

    private static Samples samples(double... values) {
        return new Samples(
                IntStream.range(0, values.length).mapToObj(i -> values[i]).toList());
    }

    private static Samples upTo(int count) {
        return new Samples(
                IntStream.rangeClosed(1, count).mapToObj(i -> (double) i).toList());
    }
}
