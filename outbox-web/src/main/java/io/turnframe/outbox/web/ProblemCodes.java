package io.turnframe.outbox.web;

/** The stable codes of the problems that arise in the web layer; those of the store come with its exceptions. */
final class ProblemCodes {
    static final String INVALID_PARAMETER = "turnframe.admin.invalid_parameter";
    static final String INVALID_CURSOR = "turnframe.admin.invalid_cursor";
    static final String MALFORMED_JSON = "turnframe.admin.malformed_json";
    static final String INVALID_OVERRIDE = "turnframe.admin.invalid_override";
    static final String BODY_TOO_LARGE = "turnframe.admin.body_too_large";
    static final String CROSS_SITE = "turnframe.admin.cross_site";
    static final String ENQUEUE_DISABLED = "turnframe.admin.enqueue_disabled";
    static final String INTERNAL_ERROR = "turnframe.admin.internal_error";

    private static final String PREFIX = "turnframe.admin.";

    private ProblemCodes() {}

    /** The code of a bare HTTP status. */
    static String ofStatus(int status) {
        return switch (status) {
            case 400 -> PREFIX + "bad_request";
            case 401 -> PREFIX + "unauthenticated";
            case 403 -> PREFIX + "forbidden";
            case 404 -> PREFIX + "not_found";
            case 405 -> PREFIX + "method_not_allowed";
            case 406 -> PREFIX + "not_acceptable";
            case 413 -> BODY_TOO_LARGE;
            case 415 -> PREFIX + "unsupported_media_type";
            case 503 -> PREFIX + "unavailable";
            default -> status < 500 ? PREFIX + "http_" + status : INTERNAL_ERROR;
        };
    }
}
