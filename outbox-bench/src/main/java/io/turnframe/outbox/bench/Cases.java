package io.turnframe.outbox.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Contenders that take turns: each measures once in each round, every round in another order. */
final class Cases {
    static final String OURS = "outbox";
    static final String FLOOR = "plain JDBC";
    static final String PEER = "db-scheduler";

    /** All there are. */
    static final Set<String> CONTENDERS = Set.of(OURS, FLOOR, PEER);

    private final Settings settings;
    private final String group;
    private final String unit;
    private final List<Contest> contests = new ArrayList<>();

    /** Measures once; answers the value. */
    @FunctionalInterface
    interface Measure {
        double once() throws Exception;
    }

    /** Who is measured under one name, by who it is; the first is ours. */
    private record Contest(String name, Map<String, Measure> contenders, Map<String, List<Double>> values) {}

    Cases(Settings settings, String group, String unit) {
        this.settings = settings;
        this.group = group;
        this.unit = unit;
    }

    /** @param contenders ours first; {@link #FLOOR} and {@link #PEER} are what it is compared with */
    void add(String name, LinkedHashMap<String, Measure> contenders) {
        contenders.keySet().retainAll(settings.contenders());
        contests.add(new Contest(name, contenders, new LinkedHashMap<>()));
    }

    /** The first rounds warm up and do not count; they have numbers up to 0. */
    List<Line> run() throws Exception {
        for (int round = 1 - settings.warmUps(); round <= settings.rounds(); round++) {
            for (Contest contest : contests) {
                List<String> order = new ArrayList<>(contest.contenders.keySet());
                Collections.rotate(order, round);
                for (String contender : order) {
                    double value = contest.contenders.get(contender).once();
                    System.out.printf("round %d  %-50s %-14s %10.1f %s%n", round, contest.name, contender, value, unit);
                    if (round > 0) {
                        contest.values
                                .computeIfAbsent(contender, name -> new ArrayList<>())
                                .add(value);
                    }
                }
            }
        }
        return contests.stream().flatMap(contest -> lines(contest).stream()).toList();
    }

    private List<Line> lines(Contest contest) {
        Map<String, Samples> samples = new LinkedHashMap<>();
        contest.contenders.keySet().forEach(name -> samples.put(name, new Samples(contest.values.get(name))));
        Samples floor = samples.get(FLOOR);
        Samples peer = samples.get(PEER);
        List<Line> lines = new ArrayList<>();
        samples.forEach((name, own) -> lines.add(new Line(
                group,
                contest.name,
                name,
                unit,
                own,
                floor == null || name.equals(FLOOR) ? null : own.ratiosTo(floor),
                peer == null || name.equals(PEER) ? null : own.ratiosTo(peer))));
        return lines;
    }
}
