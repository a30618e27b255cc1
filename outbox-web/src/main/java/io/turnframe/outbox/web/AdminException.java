package io.turnframe.outbox.web;

/** A request that the admin resource itself refuses. */
final class AdminException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;
    private final String parameter;

    private AdminException(int status, String code, String detail, String parameter) {
        super(detail);
        this.status = status;
        this.code = code;
        this.parameter = parameter;
    }

    /** A path or query parameter that has no meaning; {@code detail} names it. */
    static AdminException invalidParameter(String parameter, String detail) {
        return new AdminException(400, ProblemCodes.INVALID_PARAMETER, detail, parameter);
    }

    static AdminException invalidCursor() {
        return new AdminException(
                400, ProblemCodes.INVALID_CURSOR, "cursor is not one that this resource gave out", "cursor");
    }

    /** @param detail what is wrong, never what was sent: it may hold a payload */
    static AdminException malformedJson(String detail) {
        return new AdminException(400, ProblemCodes.MALFORMED_JSON, detail, null);
    }

    /** A run that cannot be started so; {@code detail} names the setting, its value and the remedy. */
    static AdminException invalidOverride(String detail) {
        return new AdminException(400, ProblemCodes.INVALID_OVERRIDE, detail, null);
    }

    static AdminException bodyTooLarge(long limit) {
        return new AdminException(
                413, ProblemCodes.BODY_TOO_LARGE, "the body is larger than " + limit + " bytes", null);
    }

    /** The body ended before it was whole. */
    static AdminException unreadableBody() {
        return new AdminException(400, ProblemCodes.ofStatus(400), "the body breaks off", null);
    }

    static AdminException crossSite() {
        return new AdminException(403, ProblemCodes.CROSS_SITE, "the request comes from a page of another site", null);
    }

    static AdminException enqueueDisabled() {
        return new AdminException(
                403,
                ProblemCodes.ENQUEUE_DISABLED,
                "enqueueing here is off; outbox.admin.enqueue=true switches it on",
                null);
    }

    int status() {
        return status;
    }

    String code() {
        return code;
    }

    /** The parameter at fault, or null. */
    String parameter() {
        return parameter;
    }
}
