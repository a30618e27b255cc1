package io.turnframe.outbox.batch.http;

import io.turnframe.outbox.store.ConfigValues;
import java.util.Map;
import java.util.Optional;

/**
 * Where and how a remote is asked over HTTP what became of an entry. Prints no secrets.
 *
 * @param url what is asked for, by GET
 * @param answers what statuses mean, where a destination says so
 * @param statePointer where the state of the effect stands in the body of an answer; null: the status says all
 * @param states what the states mean; one that is not named says nothing
 * @param referencePointer where the remote's reference stands in the body; null: it is not looked for
 * @param authoritative whether what the remote does not find never arrived, and cannot arrive any more
 * @param http how the remote is spoken to
 */
public record HttpQuestion(
        UrlTemplate url,
        StatusMap<Finding> answers,
        JsonText statePointer,
        Map<String, Finding> states,
        JsonText referencePointer,
        boolean authoritative,
        HttpConfig http) {
    /** What an answer says of the effect. */
    enum Finding {
        FOUND,
        REFUSED,
        NOT_FOUND,
        OTHER
    }

    private static final Map<String, Finding> LABELS = Map.of(
            "found", Finding.FOUND,
            "refused", Finding.REFUSED,
            "not-found", Finding.NOT_FOUND,
            "other", Finding.OTHER);

    /**
     * Reads the keys below {@code prefix}.
     *
     * @param url the value of the key {@code reconcile-url}
     * @throws IllegalArgumentException naming key, value and remedy; no value that may be secret
     */
    public static HttpQuestion read(String prefix, String url, ConfigValues values) {
        String states = prefix + "reconcile-states";
        JsonText statePointer =
                pointer(prefix + "reconcile-state-pointer", values).orElse(null);
        if ((statePointer == null) != values.text(states).isEmpty()) {
            throw new IllegalArgumentException(
                    prefix + "reconcile-state-pointer and " + states + " go together; set both, or none");
        }
        String answers = prefix + "reconcile-answers";
        return new HttpQuestion(
                UrlTemplate.parse(prefix + "reconcile-url", url, true),
                StatusMap.parse(answers, values.text(answers).orElse(""), LABELS, "404=not-found, 410=refused"),
                statePointer,
                Labels.parse(states, values.text(states).orElse(""), LABELS, "booked=found, rejected=refused"),
                pointer(prefix + "reconcile-reference-pointer", values)
                        .or(() -> pointer(prefix + "reference-pointer", values))
                        .orElse(null),
                values.flag(prefix + "authoritative", false),
                HttpConfig.read(prefix, values));
    }

    private static Optional<JsonText> pointer(String key, ConfigValues values) {
        return values.text(key).map(text -> new JsonText(key, text));
    }

    Finding finding(Answer answer) {
        Finding byStatus = answers.of(answer.status())
                .orElse(
                        answer.isSuccess()
                                ? Finding.FOUND
                                : answer.status() == 404 ? Finding.NOT_FOUND : Finding.OTHER);
        if (byStatus != Finding.FOUND || statePointer == null) {
            return byStatus;
        }
        String state = statePointer.in(answer.body());
        return state == null ? Finding.OTHER : states.getOrDefault(state, Finding.OTHER);
    }
}
