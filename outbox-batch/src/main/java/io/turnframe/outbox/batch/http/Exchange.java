package io.turnframe.outbox.batch.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.EndpointDetails;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.impl.BasicEntityDetails;
import org.apache.hc.core5.http.nio.AsyncClientExchangeHandler;
import org.apache.hc.core5.http.nio.CapacityChannel;
import org.apache.hc.core5.http.nio.DataStreamChannel;
import org.apache.hc.core5.http.nio.RequestChannel;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http.protocol.HttpCoreContext;

/**
 * One request and its answer. The client asks for the request once the connection stands, TLS and all, and it is given
 * out <em>once</em>: whoever asks again, to repeat it, gets none. So one exchange is at most one request on the wire,
 * whatever the client would do by itself. And an exchange that {@link #abandon} takes back before that has sent nothing,
 * which is the whole proof of "not arrived".
 */
final class Exchange implements AsyncClientExchangeHandler {
    private enum Stage {
        WAITING,
        STARTED,
        ABANDONED
    }

    private static final int CRLF = 2;

    /** As {@code HTTP/1.1 200}. */
    private static final int STATUS_LINE = 12;

    private final HttpRequest request;
    private final ByteBuffer output;
    private final int maxAnswer;
    private final boolean wantsBody;

    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.WAITING);
    private final CountDownLatch startedOrEnded = new CountDownLatch(1);
    private final CompletableFuture<Answer> ended = new CompletableFuture<>();
    private final ByteArrayOutputStream input = new ByteArrayOutputStream();
    private HttpResponse head;
    private EndpointDetails connection;
    private long expected;
    private boolean chunked;
    private boolean endsWithConnection;
    private int received;
    private volatile boolean reusable;

    /**
     * @param body null for a request without one
     * @param maxAnswer bytes of the answer's body; a longer one is none
     * @param wantsBody whether the body of a 2xx answer is kept
     */
    Exchange(HttpRequest request, byte[] body, int maxAnswer, boolean wantsBody) {
        this.request = request;
        this.output = body == null ? null : ByteBuffer.wrap(body);
        this.maxAnswer = maxAnswer;
        this.wantsBody = wantsBody;
    }

    /** Takes the request back; false if it has been given out, so that it may have left. */
    boolean abandon() {
        return stage.compareAndSet(Stage.WAITING, Stage.ABANDONED) || stage.get() == Stage.ABANDONED;
    }

    /** Waits until the request is given out or the exchange has ended; false if neither was so in time. */
    boolean awaitStart(Duration timeout) throws InterruptedException {
        return startedOrEnded.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * The answer, once it is whole.
     *
     * @param timeout null to wait until interrupted
     * @throws IOException if it breaks off, is not HTTP, is too long, or does not come in time
     */
    Answer await(Duration timeout) throws IOException, InterruptedException {
        try {
            return timeout == null ? ended.get() : ended.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failure) {
            throw new IOException("no answer", failure.getCause());
        } catch (TimeoutException late) {
            throw new IOException("no answer in time", late);
        }
    }

    /** Whether the connection may carry another request. */
    boolean isReusable() {
        return reusable;
    }

    @Override
    public void produceRequest(RequestChannel channel, HttpContext context) throws HttpException, IOException {
        if (!stage.compareAndSet(Stage.WAITING, Stage.STARTED)) {
            throw new HttpException("a request is given out once");
        }
        connection = HttpCoreContext.cast(context).getEndpointDetails();
        expected = connection.getReceivedBytesCount();
        startedOrEnded.countDown();
        channel.sendRequest(request, output == null ? null : new BasicEntityDetails(output.remaining(), null), context);
    }

    @Override
    public int available() {
        return output == null ? 0 : output.remaining();
    }

    @Override
    public void produce(DataStreamChannel channel) throws IOException {
        channel.write(output);
        if (!output.hasRemaining()) {
            channel.endStream(null);
        }
    }

    @Override
    public void consumeInformation(HttpResponse interim, HttpContext context) {
        expected += length(interim);
    }

    @Override
    public void consumeResponse(HttpResponse response, EntityDetails entity, HttpContext context) throws IOException {
        head = response;
        expected += length(response);
        chunked = entity != null && entity.isChunked();
        endsWithConnection = entity != null && !chunked && entity.getContentLength() < 0;
        if (entity == null) {
            streamEnd(null);
        } else if (entity.getContentLength() > maxAnswer) {
            throw new IOException("the answer is too long");
        }
    }

    @Override
    public void updateCapacity(CapacityChannel channel) throws IOException {
        channel.update(Integer.MAX_VALUE);
    }

    @Override
    public void consume(ByteBuffer bytes) throws IOException {
        int length = bytes.remaining();
        if (length > maxAnswer - received) {
            throw new IOException("the answer is too long");
        }
        received += length;
        byte[] copy = new byte[length];
        bytes.get(copy);
        if (wantsBody && head.getCode() < 300) {
            input.write(copy);
        }
    }

    @Override
    public void streamEnd(List<? extends Header> trailers) throws IOException {
        // The library takes a head that breaks off for a whole one.
        if (isHttp1() && surplus() < 0) {
            throw new IOException("the answer breaks off");
        }
        // A remote may answer before it has read the request.
        reusable = available() == 0 && isClean();
        ended.complete(new Answer(
                head.getCode(), value(HttpHeaders.LOCATION), value(HttpHeaders.RETRY_AFTER), input.toByteArray()));
        startedOrEnded.countDown();
    }

    private boolean isHttp1() {
        return head.getVersion().lessEquals(HttpVersion.HTTP_1_1);
    }

    /** How many bytes came beyond the answer; fewer than none if it broke off. */
    private long surplus() {
        return connection.getReceivedBytesCount() - expected - received;
    }

    /**
     * Whether nothing came but this answer. Bytes beyond it would be taken for the answer to the next request, and might
     * confirm what the remote has never seen; so a connection is used again only where each byte is accounted for. HTTP/2
     * numbers its streams and needs no such care.
     */
    private boolean isClean() {
        if (!isHttp1()) {
            return true;
        }
        Header closing = head.getFirstHeader(HttpHeaders.CONNECTION);
        long beyond = surplus() - (chunked ? chunk(received) : 0);
        // Without a reason some write the space before it, and some do not.
        boolean exact = beyond == 0 || beyond == 1 && reason(head).isEmpty();
        return exact
                && !endsWithConnection
                && head.getVersion().equals(HttpVersion.HTTP_1_1)
                && (closing == null
                        || !closing.getValue().toLowerCase(Locale.ROOT).contains("close"));
    }

    /** What chunks take beside so many bytes of a body, if they are one chunk; more chunks take more. */
    private static long chunk(int length) {
        int last = 1 + 2 * CRLF;
        return length == 0 ? last : Integer.toHexString(length).length() + 2 * CRLF + last;
    }

    /** The bytes of a head at least: status line, one line for each header, an empty line. */
    private static long length(HttpResponse response) {
        String reason = reason(response);
        long length = STATUS_LINE + (reason.isEmpty() ? 0 : 1 + reason.length()) + 2L * CRLF;
        for (Header header : response.getHeaders()) {
            length += header.toString().length() + CRLF;
        }
        return length;
    }

    private static String reason(HttpResponse response) {
        return response.getReasonPhrase() == null ? "" : response.getReasonPhrase();
    }

    private String value(String name) {
        Header header = head.getFirstHeader(name);
        return header == null ? null : header.getValue();
    }

    @Override
    public void failed(Exception cause) {
        ended.completeExceptionally(cause);
        startedOrEnded.countDown();
    }

    @Override
    public void cancel() {
        failed(new ConnectionClosedException());
    }

    @Override
    public void releaseResources() {
        // If it ends before its answer, it has failed.
        cancel();
    }
}
