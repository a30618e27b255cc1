package io.turnframe.outbox.bench;

import io.turnframe.outbox.bench.Samples.Interval;
import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonWriter;
import jakarta.json.stream.JsonGenerator;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What came of a run: a table in Markdown, the same as JSON, and a plot. */
final class Report {
    private final Map<String, String> environment;
    private final List<Line> lines = new ArrayList<>();
    private String plan = "";

    /** @param environment what was measured on, by name */
    Report(Map<String, String> environment) {
        this.environment = environment;
    }

    void add(List<Line> more) {
        lines.addAll(more);
    }

    void plan(String ofClaim) {
        plan = ofClaim;
    }

    /** Writes {@code results.md}, {@code .json} and {@code .svg}. */
    void write(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("results.md"), markdown());
        Files.writeString(directory.resolve("results.svg"), Plot.of(lines));
        try (Writer file = Files.newBufferedWriter(directory.resolve("results.json"));
                JsonWriter writer = Json.createWriterFactory(Map.of(JsonGenerator.PRETTY_PRINTING, true))
                        .createWriter(file)) {
            writer.write(json().build());
        }
    }

    String markdown() {
        StringBuilder text = new StringBuilder("| | |\n|---|---|\n");
        environment.forEach((name, value) ->
                text.append("| ").append(name).append(" | ").append(value).append(" |\n"));
        String group = null;
        for (Line line : lines) {
            if (!line.group().equals(group)) {
                group = line.group();
                text.append("\n**").append(group).append("**\n\n");
                text.append("| case | who | median | least – most | by plain JDBC | by db-scheduler |\n");
                text.append("|---|---|---:|---:|---:|---:|\n");
            }
            Interval spread = line.samples().spread();
            text.append("| ").append(line.name());
            text.append(" | ").append(line.contender());
            text.append(" | ")
                    .append(value(line.samples().median()))
                    .append(" ")
                    .append(unit(line));
            text.append(" | ").append(value(spread.low())).append(" – ").append(value(spread.high()));
            text.append(" | ").append(ratio(line.toFloor()));
            text.append(" | ").append(ratio(line.toPeer()));
            text.append(" |\n");
        }
        if (!plan.isEmpty()) {
            text.append("\n**The plan of a claim**\n\n```\n").append(plan).append("\n```\n");
        }
        return text.toString();
    }

    private static String unit(Line line) {
        return line.unit().equals("1") ? "" : line.unit();
    }

    private static String value(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%,.0f" : "%.2f", value);
    }

    /** The median of the ratios, and the interval that holds it in 93 of 100 cases. */
    private static String ratio(Samples ratios) {
        if (ratios == null) {
            return "";
        }
        Interval interval = ratios.medianInterval();
        return String.format(Locale.ROOT, "%.2f (%.2f – %.2f)", ratios.median(), interval.low(), interval.high());
    }

    private JsonObjectBuilder json() {
        JsonObjectBuilder about = Json.createObjectBuilder();
        environment.forEach(about::add);
        JsonArrayBuilder all = Json.createArrayBuilder();
        for (Line line : lines) {
            JsonObjectBuilder one = Json.createObjectBuilder()
                    .add("group", line.group())
                    .add("case", line.name())
                    .add("who", line.contender())
                    .add("unit", line.unit())
                    .add("median", line.samples().median())
                    .add("rounds", Json.createArrayBuilder(line.samples().values()));
            if (line.toFloor() != null) {
                one.add("by_plain_jdbc", Json.createArrayBuilder(line.toFloor().values()));
            }
            if (line.toPeer() != null) {
                one.add("by_db_scheduler", Json.createArrayBuilder(line.toPeer().values()));
            }
            all.add(one);
        }
        return Json.createObjectBuilder()
                .add("environment", about)
                .add("lines", all)
                .add("plan", plan);
    }
}
