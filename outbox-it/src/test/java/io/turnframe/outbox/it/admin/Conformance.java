package io.turnframe.outbox.it.admin;

import io.turnframe.outbox.it.admin.ApiDocument.Operation;
import io.turnframe.outbox.it.admin.Client.Answer;
import jakarta.json.JsonException;
import jakarta.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Whether an answer is one that the document describes, and says nothing that is nobody's business. */
final class Conformance {
    private static final String PROBLEM = "application/problem+json";

    private static final Pattern CODE = Pattern.compile("turnframe(\\.[a-z_]+){2}");

    /** A stack trace, the name of a class, SQL, or the name of a table. */
    private static final Pattern INSIDE = Pattern.compile(
            "\\bat [\\w.$]+\\(|\\b(?:java|javax|jakarta|sun)\\.\\w+|\\b(?:io|org|com)\\.\\w+\\.\\w+|\\w(?:Exception|Error)\\b"
                    + "|\\b(?:SELECT|INSERT|UPDATE|DELETE|MERGE|WHERE) |tf_outbox|JDBC|SQLSTATE");

    private Conformance() {}

    /** What is wrong with the answer to an operation; nothing if all is as documented. */
    static List<String> misfits(Operation operation, Answer answer) {
        List<String> misfits = new ArrayList<>();
        int status = answer.status();
        if (!operation.documents(status)) {
            misfits.add("the status " + status + " is not documented: " + answer.text());
        } else {
            JsonObject response = operation.response(status);
            if (response.containsKey("content")) {
                misfits.addAll(misfitsOfBody(operation, response.getJsonObject("content"), answer));
            } else if (!answer.text().isEmpty()) {
                misfits.add("a body is not documented: " + answer.text());
            }
            if (response.containsKey("headers")) {
                response.getJsonObject("headers").keySet().stream()
                        .filter(name -> answer.header(name).isEmpty())
                        .forEach(name -> misfits.add("the documented header " + name + " is missing"));
            }
        }
        if (status >= 400) {
            misfits.addAll(misfitsOfProblem(answer));
        }
        return misfits;
    }

    private static List<String> misfitsOfBody(Operation operation, JsonObject content, Answer answer) {
        String type = mediaType(answer);
        if (!content.containsKey(type)) {
            return List.of("the media type " + type + " is not documented for " + answer.status());
        }
        return type.endsWith("json") && !type.endsWith("ndjson")
                ? operation.misfitsOfResponse(answer.status(), type, answer.text())
                : List.of();
    }

    /** What is wrong with a refusal, whatever it is that was asked for. */
    static List<String> misfitsOfProblem(Answer answer) {
        List<String> misfits = new ArrayList<>();
        if (!mediaType(answer).equals(PROBLEM)) {
            misfits.add(answer.status() + " has the media type " + mediaType(answer) + ": " + answer.text());
            return misfits;
        }
        try {
            JsonObject problem = answer.json();
            if (problem.getInt("status") != answer.status()) {
                misfits.add("the problem has another status than the answer, " + answer.status());
            }
            if (!CODE.matcher(problem.getString("code")).matches()) {
                misfits.add("the code is " + problem.getString("code"));
            }
        } catch (JsonException | NullPointerException | ClassCastException broken) {
            misfits.add("it is no problem in JSON: " + answer.text());
        }
        if (INSIDE.matcher(answer.text()).find()) {
            misfits.add("it tells of the inside: " + answer.text());
        }
        return misfits;
    }

    private static String mediaType(Answer answer) {
        return answer.header("Content-Type").split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }
}
