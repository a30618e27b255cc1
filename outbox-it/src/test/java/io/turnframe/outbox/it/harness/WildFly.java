package io.turnframe.outbox.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Path;

/** WildFly, through {@code jboss-cli.sh}. */
final class WildFly extends TestServer {
    WildFly(String container) {
        super(container);
    }

    @Override
    public void setProperty(String name, String value) {
        cli("/system-property=" + name + ":add(value=\"" + value + "\")");
    }

    @Override
    public void removeProperty(String name) {
        cli("/system-property=" + name + ":remove");
    }

    @Override
    public void startDispatchJob() {
        cli("/deployment=outbox.ear/subdeployment=outbox-batch.jar/subsystem=batch-jberet"
                + ":start-job(job-xml-name=outbox-dispatch)");
    }

    @Override
    Path log() {
        String base = System.getProperty("it.server.base");
        return Path.of(container().equals("server") ? base : base + "-" + container(), "log", "server.log");
    }

    private void cli(String operation) {
        String controller = "localhost:" + System.getProperty("it." + container() + ".management-port");
        try {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("it.server.home"), "bin", "jboss-cli.sh")
                                    .toString(),
                            "--connect",
                            "--controller=" + controller,
                            "--command=" + operation)
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
            if (process.waitFor() != 0) {
                throw new IllegalStateException(operation + " failed: " + output);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
