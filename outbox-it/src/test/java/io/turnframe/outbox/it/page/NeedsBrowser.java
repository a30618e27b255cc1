package io.turnframe.outbox.it.page;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Tests that cannot run where no browser is installed; the build's output then warns of it. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsBrowser.Condition.class)
@interface NeedsBrowser {
    /** Looks for a browser before anything is deployed. */
    final class Condition implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (Browser.executable().isPresent()) {
                return ConditionEvaluationResult.enabled("there is a browser");
            }
            String reason = "no Chromium or Chrome is installed: install one, or name it with -Dit.browser=/path/to/it";
            if (context.getTestMethod().isEmpty()) {
                System.err.println("WARNING: the operator's page is NOT tested by "
                        + context.getRequiredTestClass().getSimpleName() + ": " + reason);
            }
            return ConditionEvaluationResult.disabled(reason);
        }
    }
}
