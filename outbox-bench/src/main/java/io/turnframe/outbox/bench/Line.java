package io.turnframe.outbox.bench;

/**
 * One line of the table.
 *
 * @param group lines of one group stand together, and in one plot
 * @param name what was measured
 * @param contender who did it
 * @param unit of the samples
 * @param samples one for each round
 * @param toFloor the ratios to plain JDBC in the same round, or null
 * @param toPeer the ratios to the best peer in the same round, or null
 */
record Line(
        String group, String name, String contender, String unit, Samples samples, Samples toFloor, Samples toPeer) {
    Line(String group, String name, String contender, String unit, Samples samples) {
        this(group, name, contender, unit, samples, null, null);
    }
}
