/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreFailureTests {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            NOSCRIPT No matching script. Please use EVAL.                                          | NOSCRIPT
            READONLY You can't write against a read only replica.                                  | READONLY
            ERR Error running script (call to f_0a): @user_script:7: -READONLY You can't write     | READONLY
            LOADING Redis is loading the dataset in memory                                         | LOADING
            OOM command not allowed when used memory > 'maxmemory'. script: 0a, on @user_script:7. | OOM
            BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE. | BUSY
            WRONGTYPE Operation against a key holding the wrong kind of value                      | WRONGTYPE
            NOPERM this user has no permissions to run the 'evalsha' command                       | NOPERM
            ERR The user executing the script can't run this command or subcommand script: 864a2d  | NOPERM
            ERR ACL failure in script: User counter has no permissions to run the 'get' command    | NOPERM
            NOAUTH Authentication required.                                                        | NOPERM
            WRONGPASS invalid username-password pair or user is disabled.                          | NOPERM
            MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.        | READONLY
            NOREPLICAS Not enough good replicas to write.                                          | NOREPLICAS
            CLUSTERDOWN The cluster is down                                                        | CLUSTERDOWN
            BUSYBODY                                                                               | OTHER
            """)
    void whatRedisSaysTells(String message, StoreFailure cause) {
        assertThat(StoreFailure.of(new IllegalStateException("Redis cannot answer: " + message)))
                .isEqualTo(cause);
        assertThat(StoreFailure.of(new RuntimeException("wrapped", new RuntimeException(message))))
                .isEqualTo(cause);
    }

    @Test
    void theKindOfExceptionTellsWhereRedisSaysNothing() {
        assertThat(StoreFailure.of(new TimeoutException())).isEqualTo(StoreFailure.TIMEOUT);
        assertThat(StoreFailure.of(new RuntimeException(new ConnectException("Connection refused"))))
                .isEqualTo(StoreFailure.CONNECTION);
        assertThat(StoreFailure.of(new IOException(new SocketTimeoutException("Read timed out"))))
                .isEqualTo(StoreFailure.TIMEOUT);
        assertThat(StoreFailure.of(new RuntimeException())).isEqualTo(StoreFailure.OTHER);
    }

    @Test
    void aCircleOfCausesHasAnEnd() {
        RuntimeException first = new RuntimeException("first");
        first.initCause(new RuntimeException("second", first));
        assertThat(StoreFailure.of(first)).isEqualTo(StoreFailure.OTHER);
    }

    @Test
    void tagsAreLowerCase() {
        assertThat(StoreFailure.WRONGTYPE.tag()).isEqualTo("wrongtype");
    }
}
