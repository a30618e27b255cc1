package io.turnframe.outbox.batch.http;

import java.io.IOException;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.logging.Logger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.bootstrap.HttpAsyncRequester;
import org.apache.hc.core5.http.nio.AsyncClientEndpoint;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.http.protocol.HttpProcessor;
import org.apache.hc.core5.http.protocol.HttpProcessorBuilder;
import org.apache.hc.core5.http.protocol.RequestUserAgent;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.http2.config.H2Config;
import org.apache.hc.core5.http2.impl.nio.bootstrap.H2RequesterBootstrap;
import org.apache.hc.core5.http2.protocol.H2RequestConnControl;
import org.apache.hc.core5.http2.protocol.H2RequestContent;
import org.apache.hc.core5.http2.protocol.H2RequestTargetHost;
import org.apache.hc.core5.http2.ssl.H2ClientTlsStrategy;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.net.NamedEndpoint;
import org.apache.hc.core5.reactor.IOReactorConfig;
import org.apache.hc.core5.reactor.IOReactorStatus;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * The connections to one destination, kept open between requests. One exchange is at most one request: nothing is
 * repeated, no redirect is followed, and nothing of a request is logged.
 */
final class HttpWire implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(HttpWire.class.getName());

    /** As many sends as a node has out at most: none waits for another's connection. */
    private static final int MAX_CONNECTIONS = 256;

    /** A connection that was idle for longer is not used again: the remote may be closing it. */
    private static final TimeValue MAX_IDLE = TimeValue.ofSeconds(2);

    /** The library's, but for {@code Expect: 100-continue}, which costs a round trip and gains nothing here. */
    private static final HttpProcessor HEADERS = HttpProcessorBuilder.create()
            .addAll(
                    H2RequestTargetHost.INSTANCE,
                    H2RequestContent.INSTANCE,
                    H2RequestConnControl.INSTANCE,
                    new RequestUserAgent("turnframe-outbox"))
            .build();

    private static final int MAX_HEADERS = 200;
    private static final int MAX_HEADER_LINE = 16 * 1024;

    private final HttpVersionPolicy version;
    private final SSLContext tls;
    private final Duration connectTimeout;
    private final Duration answerTimeout;
    private final int maxAnswer;
    private HttpAsyncRequester requester;
    private boolean closed;

    /**
     * @param tls null for the JVM's
     * @param connectTimeout for the connection and its TLS handshake
     * @param answerTimeout from then until the whole answer is there; null: until interrupted
     * @param maxAnswer bytes of an answer's body; a longer one is none
     */
    HttpWire(
            HttpVersionPolicy version, SSLContext tls, Duration connectTimeout, Duration answerTimeout, int maxAnswer) {
        this.version = version;
        this.tls = tls == null ? defaultTls() : tls;
        this.connectTimeout = connectTimeout;
        this.answerTimeout = answerTimeout;
        this.maxAnswer = maxAnswer;
        this.requester = start();
    }

    private HttpAsyncRequester start() {
        HttpAsyncRequester started = H2RequesterBootstrap.bootstrap()
                .setVersionPolicy(version)
                .setHttpProcessor(HEADERS)
                .setIOReactorConfig(IOReactorConfig.custom()
                        .setIoThreadCount(1)
                        .setSoTimeout(Timeout.DISABLED)
                        .build())
                .setHttp1Config(Http1Config.custom()
                        .setMaxHeaderCount(MAX_HEADERS)
                        .setMaxLineLength(MAX_HEADER_LINE)
                        .build())
                .setH2Config(H2Config.custom()
                        .setPushEnabled(false)
                        .setMaxHeaderListSize(MAX_HEADERS * 1024)
                        .build())
                .setTlsStrategy(new H2ClientTlsStrategy(tls, HttpWire::verifyingTheHost, null))
                .setHandshakeTimeout(Timeout.of(connectTimeout))
                .setDefaultMaxPerRoute(MAX_CONNECTIONS)
                .setMaxTotal(MAX_CONNECTIONS)
                .create();
        started.start();
        return started;
    }

    /** The one that runs: an error in its thread, as of a heap that was full for a moment, ends one for good. */
    synchronized HttpAsyncRequester requester() {
        if (!closed && requester.getStatus() != IOReactorStatus.ACTIVE) {
            LOG.warning("the thread of an HTTP client has ended with an error, which stderr has; another is started");
            requester.close(CloseMode.IMMEDIATE);
            requester = start();
        }
        return requester;
    }

    private static SSLContext defaultTls() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException noTls) {
            throw new IllegalStateException("the JVM has no TLS", noTls);
        }
    }

    private static void verifyingTheHost(NamedEndpoint endpoint, SSLEngine engine) {
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        engine.setSSLParameters(parameters);
    }

    /**
     * Sends a request and waits for the whole answer.
     *
     * @param body null for a request without one
     * @param wantsBody whether the body of a 2xx answer is kept
     * @throws NotSentException if no byte of the request has left
     * @throws IOException on anything else than a whole answer: the request may have arrived
     * @throws InterruptedException if interrupted after the request may have left
     */
    Answer exchange(HttpHost host, HttpRequest request, byte[] body, boolean wantsBody)
            throws IOException, InterruptedException {
        while (true) {
            try {
                return attempt(host, request, body, wantsBody);
            } catch (StaleException gone) {
                // The remote had closed a connection that was kept open: nothing has left, and there are other ways.
                continue;
            }
        }
    }

    private Answer attempt(HttpHost host, HttpRequest request, byte[] body, boolean wantsBody)
            throws IOException, InterruptedException {
        Exchange exchange = new Exchange(request, body, maxAnswer, wantsBody);
        Lease lease = new Lease(exchange);
        Future<AsyncClientEndpoint> connecting = connect(host, lease);
        try {
            boolean ended = exchange.awaitStart(connectTimeout);
            if (exchange.abandon()) {
                throw ended && lease.wasKept() ? new StaleException() : new NotSentException(lease.failure());
            }
            return exchange.await(answerTimeout);
        } catch (InterruptedException interrupted) {
            if (exchange.abandon()) {
                Thread.currentThread().interrupt();
                throw new NotSentException(interrupted);
            }
            throw interrupted;
        } finally {
            lease.end();
            connecting.cancel(true);
        }
    }

    private Future<AsyncClientEndpoint> connect(HttpHost host, Lease lease) throws NotSentException {
        HttpAsyncRequester running = requester();
        try {
            running.closeIdle(MAX_IDLE);
            // Its timeouts would stay on the connection: the waits of the exchange are the ones that count.
            return running.connect(host, Timeout.DISABLED, null, lease);
        } catch (RuntimeException shutDown) {
            lease.end();
            if (lease.exchange.abandon()) {
                throw new NotSentException(shutDown);
            }
            throw shutDown;
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        requester.close(CloseMode.IMMEDIATE);
    }

    /** A connection that was kept open was none any more. */
    private static final class StaleException extends IOException {
        private static final long serialVersionUID = 1L;
    }

    /** Holds the connection from when it stands to the end of the exchange, whichever comes first. */
    private static final class Lease implements FutureCallback<AsyncClientEndpoint> {
        private final Exchange exchange;
        private AsyncClientEndpoint endpoint;
        private final Thread sender = Thread.currentThread();
        private boolean kept;
        private boolean ended;
        private volatile Exception failure;

        Lease(Exchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public synchronized void completed(AsyncClientEndpoint connected) {
            if (ended) {
                connected.releaseAndDiscard();
            } else {
                // A new connection is reported by the thread that made it.
                kept = Thread.currentThread() == sender;
                endpoint = connected;
                endpoint.execute(exchange, HttpCoreContext.create());
            }
        }

        @Override
        public void failed(Exception cause) {
            failure = cause;
            exchange.failed(cause);
        }

        @Override
        public void cancelled() {
            exchange.failed(new ConnectionClosedException());
        }

        /** Whether the connection stood before. */
        synchronized boolean wasKept() {
            return kept;
        }

        Exception failure() {
            return failure;
        }

        synchronized void end() {
            ended = true;
            if (endpoint == null) {
                return;
            }
            if (exchange.isReusable()) {
                endpoint.releaseAndReuse();
            } else {
                endpoint.releaseAndDiscard();
            }
        }
    }
}
