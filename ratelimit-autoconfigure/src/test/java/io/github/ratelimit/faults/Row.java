/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.faults;

import java.util.List;

/**
 * What one fault did, through one client.
 *
 * @param title the fault
 * @param client the Redis client
 * @param calls how many calls were decided while it lasted
 * @param decisions what each policy answered meanwhile
 * @param p50Micros half of them took no longer
 * @param p99Micros 99 of 100 of them took no longer
 * @param maxMillis none of them took longer
 * @param causes the causes that were counted as failures
 * @param warnings lines of the log when it began
 * @param recoveries lines of the log when it was over
 * @param backMillis how long after its end every call was counted in Redis again
 * @param letThrough permits granted in the whole run, of a limit with policy local
 * @param bound the most that may be granted
 */
record Row(
        String title,
        String client,
        int calls,
        String decisions,
        long p50Micros,
        long p99Micros,
        long maxMillis,
        String causes,
        long warnings,
        long recoveries,
        long backMillis,
        long letThrough,
        long bound) {

    private static final String TAB = "\t";
    private static final int COLUMNS = 13;

    boolean isOfSame(Row other) {
        return title.equals(other.title) && client.equals(other.client);
    }

    String line() {
        return String.join(
                TAB,
                title,
                client,
                "" + calls,
                decisions,
                "" + p50Micros,
                "" + p99Micros,
                "" + maxMillis,
                causes,
                "" + warnings,
                "" + recoveries,
                "" + backMillis,
                "" + letThrough,
                "" + bound);
    }

    static Row of(String line) {
        List<String> cells = List.of(line.split(TAB, -1));
        if (cells.size() != COLUMNS) {
            throw new IllegalArgumentException("Not " + COLUMNS + " columns: " + line);
        }
        return new Row(
                cells.get(0),
                cells.get(1),
                Integer.parseInt(cells.get(2)),
                cells.get(3),
                Long.parseLong(cells.get(4)),
                Long.parseLong(cells.get(5)),
                Long.parseLong(cells.get(6)),
                cells.get(7),
                Long.parseLong(cells.get(8)),
                Long.parseLong(cells.get(9)),
                Long.parseLong(cells.get(10)),
                Long.parseLong(cells.get(11)),
                Long.parseLong(cells.get(12)));
    }
}
