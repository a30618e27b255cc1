package io.turnframe.outbox.bench;

import java.util.List;
import java.util.Locale;

/** Bars for the medians of what has the unit rows/s, with the spread as a line over each. */
final class Plot {
    private static final int BAR = 14;
    private static final int LABELS = 330;
    private static final int WIDTH = 500;
    private static final int MARGIN = 10;

    private Plot() {}

    /** An SVG document. */
    static String of(List<Line> lines) {
        List<Line> shown =
                lines.stream().filter(line -> line.unit().equals("rows/s")).toList();
        StringBuilder bars = new StringBuilder();
        int y = MARGIN;
        String group = null;
        for (Line line : shown) {
            if (!line.group().equals(group)) {
                group = line.group();
                y += 2 * BAR;
                bars.append(text(MARGIN, y - BAR / 2, "bold", group));
            }
            double most = most(shown, group);
            double scale = WIDTH / most;
            Samples.Interval spread = line.samples().spread();
            bars.append(text(MARGIN, y + BAR - 4, "normal", line.name() + ", " + line.contender()));
            bars.append(format(
                    "<rect x='%d' y='%d' width='%.1f' height='%d' fill='%s'/>%n",
                    LABELS, y + 1, line.samples().median() * scale, BAR - 3, colour(line.contender())));
            double middle = y + BAR / 2.0 - 0.5;
            bars.append(format(
                    "<line x1='%.1f' x2='%.1f' y1='%.1f' y2='%.1f' stroke='black'/>%n",
                    LABELS + spread.low() * scale, LABELS + spread.high() * scale, middle, middle));
            bars.append(text(
                    (int) (LABELS + spread.high() * scale) + 5,
                    y + BAR - 4,
                    "normal",
                    format("%,.0f", line.samples().median())));
            y += BAR;
        }
        return format(
                        "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='10'>%n"
                                + "<rect width='100%%' height='100%%' fill='white'/>%n",
                        LABELS + WIDTH + 80, y + MARGIN)
                + bars
                + "</svg>\n";
    }

    private static double most(List<Line> lines, String group) {
        return lines.stream()
                .filter(line -> line.group().equals(group))
                .mapToDouble(line -> line.samples().spread().high())
                .max()
                .orElse(1);
    }

    private static String colour(String contender) {
        return switch (contender) {
            case Cases.OURS -> "#2a7ab0";
            case Cases.FLOOR -> "#9a9a9a";
            default -> "#d9a441";
        };
    }

    private static String text(int x, int y, String weight, String text) {
        return format("<text x='%d' y='%d' font-weight='%s'>%s</text>%n", x, y, weight, text);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
