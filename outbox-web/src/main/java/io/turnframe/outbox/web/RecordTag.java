package io.turnframe.outbox.web;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The strong entity tag of a record: its version, and whether the payload is shown, since that is another text at the same
 * address. An act asks for the version alone.
 */
final class RecordTag {
    private static final String WITH_PAYLOAD = ".p";

    private static final Pattern TAG = Pattern.compile("\\s*(W/)?\"([^\"]*)\"\\s*(,|$)");

    private RecordTag() {}

    /** As the header {@code ETag} has it. */
    static String of(String version, boolean withPayload) {
        return '"' + version + (withPayload ? WITH_PAYLOAD : "") + '"';
    }

    /** The versions that a header {@code If-Match} names; null for any. A weak tag names none, and so does what is no tag. */
    static Set<String> versions(String ifMatch) {
        if (ifMatch == null || ifMatch.strip().equals("*")) {
            return null;
        }
        Set<String> versions = new HashSet<>();
        Matcher tags = TAG.matcher(ifMatch);
        while (tags.lookingAt()) {
            if (tags.group(1) == null) {
                String tag = tags.group(2);
                versions.add(tag.endsWith(WITH_PAYLOAD) ? tag.substring(0, tag.length() - WITH_PAYLOAD.length()) : tag);
            }
            tags.region(tags.end(), ifMatch.length());
        }
        return versions;
    }

    /** Whether a header {@code If-None-Match} says that the caller has this very text; tags are compared weakly there. */
    static boolean isKnown(String ifNoneMatch, String tag) {
        if (ifNoneMatch == null) {
            return false;
        }
        if (ifNoneMatch.strip().equals("*")) {
            return true;
        }
        Matcher tags = TAG.matcher(ifNoneMatch);
        while (tags.lookingAt()) {
            if (tag.equals('"' + tags.group(2) + '"')) {
                return true;
            }
            tags.region(tags.end(), ifNoneMatch.length());
        }
        return false;
    }
}
