package io.turnframe.outbox.batch.http;

import io.turnframe.outbox.OutboxReconciler;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.Reconciled;
import java.io.IOException;
import org.apache.hc.core5.http.message.BasicHttpRequest;

/** Asks a remote over HTTP what became of an entry: one GET, whose answer is read by the table of {@code docs/reconciling.md}. */
public final class HttpReconciler implements OutboxReconciler, AutoCloseable {
    /** The remote says that it refused the request. */
    static final String REFUSED = "turnframe.http.refused";

    private final HttpQuestion question;
    private final HttpWire wire;

    /** It holds connections from here on; to be closed. */
    public HttpReconciler(HttpQuestion question) {
        this.question = question;
        this.wire = question.http().open();
    }

    @Override
    public Reconciled reconcile(OutboxRecord record) {
        String target = question.url().expand(record.entry(), record.remoteRef());
        if (target == null) {
            return Reconciled.unresolved();
        }
        BasicHttpRequest request = new BasicHttpRequest("GET", question.url().host(), target);
        question.http().headers().forEach(request::setHeader);
        boolean wantsBody = question.statePointer() != null || question.referencePointer() != null;
        try {
            return settle(wire.exchange(question.url().host(), request, null, wantsBody));
        } catch (IOException noAnswer) {
            return Reconciled.unresolved();
        } catch (InterruptedException deadline) {
            Thread.currentThread().interrupt();
            return Reconciled.unresolved();
        }
    }

    private Reconciled settle(Answer answer) {
        return switch (question.finding(answer)) {
            case FOUND ->
                Reconciled.completed(
                        question.referencePointer() == null
                                ? null
                                : question.referencePointer().in(answer.body()));
            case REFUSED -> Reconciled.failed(REFUSED);
            case NOT_FOUND -> question.authoritative() ? Reconciled.resend() : Reconciled.unresolved();
            case OTHER -> Reconciled.unresolved();
        };
    }

    @Override
    public void close() {
        wire.close();
    }
}
