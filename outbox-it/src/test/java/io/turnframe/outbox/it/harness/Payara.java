package io.turnframe.outbox.it.harness;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Payara Server, through {@code asadmin}. */
final class Payara extends TestServer {
    /** All ports of a domain lie within 100 of its base. */
    static final int PORT_BASE = 8000;

    static final Ports PORTS = new Ports(8080, 8048, List.of(8037, 8038, 8039, 8049, 8059, 8066, 8076, 8081, 8086));

    /** The head of a record, which may go on over many lines. */
    private static final Pattern HEAD = Pattern.compile("^\\[\\d{4}-\\d\\d-\\d\\dT");

    private static final Pattern COMPLAINT = Pattern.compile(
            "\\A\\[.*\\] \\[(WARNING|SEVERE)\\] \\[[^]]*\\] \\[io\\.turnframe\\.|^\\s+at .*\\bio\\.turnframe\\.",
            Pattern.MULTILINE);

    /** Payara's batch runtime does not close the job's XML, and names whoever started the job when that is found out. */
    private static final Pattern JOB_XML_LEFT_OPEN = Pattern.compile(
            "stream has been finalized.*?DelegatingJobXMLLoaderServiceImpl\\.loadJobFromBatchJobs", Pattern.DOTALL);

    private final PayaraDomain domain;

    Payara(String container) {
        super(container);
        domain = new PayaraDomain(container);
    }

    @Override
    public void setProperties(Map<String, String> properties) {
        domain.setProperties(properties);
    }

    @Override
    void removeProperties(Set<String> names) {
        domain.runAll(
                names.stream().map(name -> "delete-system-property " + name).toList());
    }

    @Override
    public void addConfiguration(Path folder) {
        throw new UnsupportedOperationException("one folder is all that Payara has, and it is the domain's");
    }

    @Override
    public void removeConfiguration() {
        throw new UnsupportedOperationException("nothing was added");
    }

    @Override
    public void startDispatchJob(String... parameters) {
        throw startsNone();
    }

    @Override
    public void redeploy() {
        throw new UnsupportedOperationException("asadmin redeploys from a file only");
    }

    @Override
    public void startPurgeJob(String completedAfter) {
        throw startsNone();
    }

    private static UnsupportedOperationException startsNone() {
        return new UnsupportedOperationException("Payara's console lists jobs but starts none");
    }

    @Override
    public String shows(long executionId) {
        return domain.run("list-batch-job-executions", "--long", "--executionid", Long.toString(executionId));
    }

    @Override
    public List<String> logged() {
        return domain.logged();
    }

    @Override
    public List<String> complaints() {
        return records().stream()
                .filter(COMPLAINT.asPredicate())
                .filter(JOB_XML_LEFT_OPEN.asPredicate().negate())
                .toList();
    }

    private List<String> records() {
        List<StringBuilder> records = new ArrayList<>();
        for (String line : logged()) {
            if (records.isEmpty() || HEAD.matcher(line).find()) {
                records.add(new StringBuilder());
            }
            records.get(records.size() - 1).append(line).append('\n');
        }
        return records.stream().map(StringBuilder::toString).toList();
    }
}
