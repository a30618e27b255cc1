package io.turnframe.outbox.it.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.turnframe.outbox.store.DispatchStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The random sequences are worth running: they repeat by their seed, reach everything, and find a fault. */
class SequencesTest {
    @Test
    void findNoDifferenceBetweenTwoModels() {
        System.out.println("model: " + new Sequences(ModelFixture::new, 50).run(SequencesIT.FIRST_SEED, 100));
    }

    @Test
    void areTheSameForTheSameSeed() {
        assertThat(RandomCalls.draw(7, 50).toString())
                .isEqualTo(RandomCalls.draw(7, 50).toString())
                .isNotEqualTo(RandomCalls.draw(8, 50).toString());
    }

    @Test
    void findAFaultAndTellTheSeedAndTheFewCallsThatShowIt() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> new Sequences(Greedy::new, 50).run(SequencesIT.FIRST_SEED, 100))
                .withMessageContaining("-Dit.sequences.seed=")
                .withMessageMatching("(?s).*the following [1-7] are enough:.*claimDue.*");
    }

    /** Claims one more than its limit of up to five: six rows and a claim show it. */
    private static final class Greedy implements StoreFixture {
        private final ModelFixture model = new ModelFixture();

        @Override
        public DispatchStore store() {
            InvocationHandler greedy = (proxy, method, arguments) -> {
                if (method.getName().equals("claimDue")) {
                    arguments[1] = (Integer) arguments[1] + 1;
                }
                try {
                    return method.invoke(model.store(), arguments);
                } catch (InvocationTargetException refused) {
                    throw refused.getCause();
                }
            };
            return (DispatchStore) Proxy.newProxyInstance(
                    DispatchStore.class.getClassLoader(), new Class<?>[] {DispatchStore.class}, greedy);
        }

        @Override
        public void inTransaction(Runnable work) {
            model.inTransaction(work);
        }

        @Override
        public Object stored(UUID id) {
            return model.stored(id);
        }
    }
}
