/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.algorithm.OtherViews.View;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OtherViewsTests {

    private static final long NOW = 100;
    private static final Numbers SOME = new Numbers(10, 1, 1);
    private static final Numbers OTHERS = new Numbers(20, 1, 1);

    private static View view(long fullAt, int mark) {
        return new View(fullAt, mark, null, 0);
    }

    private static OtherViews views(View... views) {
        return new OtherViews(List.of(views));
    }

    @ParameterizedTest
    @CsvSource({
        // full at, slack, moved by, then full at, slack
        "150, 2,  10, 160, 2",
        "101, 2,  10, 111, 2",
        // one that is full begins anew
        "100, 2,  10, 110, 0",
        " 40, 2,  10, 110, 0",
        // given back: at most until full
        "150, 2, -10, 140, 2",
        "150, 2, -50, 100, 2",
        "150, 2, -60, 100, 2",
        "100, 2, -10, 100, 2",
        " 40, 2, -10,  40, 2",
        "150, 2,   0, 150, 2",
        " 40, 2,   0,  40, 2"
    })
    void chargesMoveAView(long fullAt, long slack, long micros, long thenFullAt, long thenSlack) {
        View view = new View(fullAt, 7, SOME, slack);
        View then = new View(thenFullAt, 7, SOME, thenSlack);

        assertThat(view.moved(NOW, micros)).isEqualTo(then);
        assertThat(views(view, view(500, 8)).moved(NOW, micros)).isEqualTo(views(then, view(500 + micros, 8)));
    }

    @Test
    void fullOnceAllAre() {
        OtherViews views = views(view(99, 6), view(100, 7), view(101, 8));

        assertThat(views.areFullAt(NOW)).isFalse();
        assertThat(views.areFullAt(NOW + 1)).isTrue();
    }

    @Test
    void oneGoesTheOthersStay() {
        OtherViews views = views(view(150, 6), view(150, 7), view(150, 7), view(160, 7));

        assertThat(views.without(view(150, 7))).isEqualTo(views(view(150, 6), view(150, 7), view(160, 7)));
    }

    @Test
    void onlyTheLatestIsAdded() {
        OtherViews views = views(view(150, 6), view(160, 7));

        assertThat(views.withLatest(view(161, 8))).isEqualTo(views(view(150, 6), view(160, 7), view(161, 8)));
        assertThat(views.withLatest(view(160, 8))).isEqualTo(views);
        assertThat(views.withLatest(view(155, 8))).isEqualTo(views);
        assertThat(OtherViews.NONE.withLatest(view(155, 8))).isEqualTo(views(view(155, 8)));
    }

    @Test
    void threeStayThatSeeMost() {
        OtherViews three = views(view(170, 6), view(150, 7), view(160, 8));

        assertThat(three.few()).isEqualTo(three);
        assertThat(three.with(view(155, 9)).few()).isEqualTo(views(view(170, 6), view(160, 8), view(155, 9)));
        assertThat(three.with(view(155, 9)).with(view(180, 5)).few())
                .isEqualTo(views(view(170, 6), view(160, 8), view(180, 5)));
    }

    @Test
    void numbersSeeTheirOwnElseTheLatestElseTheLast() {
        OtherViews views = views(view(150, 6), view(170, 7), view(160, 8));

        assertThat(views.seenBy(6, SOME, view(180, 5))).isEqualTo(view(150, 6));
        assertThat(views.seenBy(9, SOME, view(140, 5))).isEqualTo(view(170, 7));
        assertThat(views.seenBy(9, SOME, view(170, 5))).isEqualTo(view(170, 5));
        assertThat(views.seenBy(9, SOME, view(180, 5))).isEqualTo(view(180, 5));
    }

    @Test
    void numbersKnowTheirOwnByNameElseByMark() {
        View named = new View(150, 6, SOME, 0);
        View nameless = view(170, 6);
        View last = view(140, 5);

        assertThat(views(named, nameless).seenBy(6, SOME, last)).isEqualTo(named);
        assertThat(views(nameless, named).seenBy(6, SOME, last)).isEqualTo(named);
        assertThat(views(named, nameless, view(190, 7)).seenBy(6, OTHERS, last)).isEqualTo(nameless);
        assertThat(views(named, view(190, 7)).seenBy(6, OTHERS, last)).isEqualTo(view(190, 7));
        assertThat(named.isOf(7, SOME)).isFalse();
    }
}
