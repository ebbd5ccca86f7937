// Written by Scripts/console-assets from the files in assets.

#include "console_assets.h"

static const unsigned char asset_0[] = {
#embed "assets/class.html" if_empty(0)
};
static const unsigned char asset_1[] = {
#embed "assets/css/base.css" if_empty(0)
};
static const unsigned char asset_2[] = {
#embed "assets/css/body.css" if_empty(0)
};
static const unsigned char asset_3[] = {
#embed "assets/css/breakpoints.css" if_empty(0)
};
static const unsigned char asset_4[] = {
#embed "assets/css/class.css" if_empty(0)
};
static const unsigned char asset_5[] = {
#embed "assets/css/classroom.css" if_empty(0)
};
static const unsigned char asset_6[] = {
#embed "assets/css/compose-page.css" if_empty(0)
};
static const unsigned char asset_7[] = {
#embed "assets/css/compose.css" if_empty(0)
};
static const unsigned char asset_8[] = {
#embed "assets/css/connect.css" if_empty(0)
};
static const unsigned char asset_9[] = {
#embed "assets/css/detail.css" if_empty(0)
};
static const unsigned char asset_10[] = {
#embed "assets/css/exchange.css" if_empty(0)
};
static const unsigned char asset_11[] = {
#embed "assets/css/grid.css" if_empty(0)
};
static const unsigned char asset_12[] = {
#embed "assets/css/lab.css" if_empty(0)
};
static const unsigned char asset_13[] = {
#embed "assets/css/lessons.css" if_empty(0)
};
static const unsigned char asset_14[] = {
#embed "assets/css/pages.css" if_empty(0)
};
static const unsigned char asset_15[] = {
#embed "assets/css/palette.css" if_empty(0)
};
static const unsigned char asset_16[] = {
#embed "assets/css/rules.css" if_empty(0)
};
static const unsigned char asset_17[] = {
#embed "assets/css/shell.css" if_empty(0)
};
static const unsigned char asset_18[] = {
#embed "assets/css/theme.css" if_empty(0)
};
static const unsigned char asset_19[] = {
#embed "assets/css/timeline.css" if_empty(0)
};
static const unsigned char asset_20[] = {
#embed "assets/css/tls.css" if_empty(0)
};
static const unsigned char asset_21[] = {
#embed "assets/icon.svg" if_empty(0)
};
static const unsigned char asset_22[] = {
#embed "assets/index.html" if_empty(0)
};
static const unsigned char asset_23[] = {
#embed "assets/js/core/abort.js" if_empty(0)
};
static const unsigned char asset_24[] = {
#embed "assets/js/core/advice.js" if_empty(0)
};
static const unsigned char asset_25[] = {
#embed "assets/js/core/announce.js" if_empty(0)
};
static const unsigned char asset_26[] = {
#embed "assets/js/core/api.js" if_empty(0)
};
static const unsigned char asset_27[] = {
#embed "assets/js/core/banner.js" if_empty(0)
};
static const unsigned char asset_28[] = {
#embed "assets/js/core/browsers.js" if_empty(0)
};
static const unsigned char asset_29[] = {
#embed "assets/js/core/clipboard.js" if_empty(0)
};
static const unsigned char asset_30[] = {
#embed "assets/js/core/dialog.js" if_empty(0)
};
static const unsigned char asset_31[] = {
#embed "assets/js/core/dom.js" if_empty(0)
};
static const unsigned char asset_32[] = {
#embed "assets/js/core/draft.js" if_empty(0)
};
static const unsigned char asset_33[] = {
#embed "assets/js/core/emitter.js" if_empty(0)
};
static const unsigned char asset_34[] = {
#embed "assets/js/core/event-feed.js" if_empty(0)
};
static const unsigned char asset_35[] = {
#embed "assets/js/core/facts.js" if_empty(0)
};
static const unsigned char asset_36[] = {
#embed "assets/js/core/fields-table.js" if_empty(0)
};
static const unsigned char asset_37[] = {
#embed "assets/js/core/fields.js" if_empty(0)
};
static const unsigned char asset_38[] = {
#embed "assets/js/core/first-step.js" if_empty(0)
};
static const unsigned char asset_39[] = {
#embed "assets/js/core/format.js" if_empty(0)
};
static const unsigned char asset_40[] = {
#embed "assets/js/core/head.js" if_empty(0)
};
static const unsigned char asset_41[] = {
#embed "assets/js/core/held.js" if_empty(0)
};
static const unsigned char asset_42[] = {
#embed "assets/js/core/help.js" if_empty(0)
};
static const unsigned char asset_43[] = {
#embed "assets/js/core/host-patterns.js" if_empty(0)
};
static const unsigned char asset_44[] = {
#embed "assets/js/core/icons.js" if_empty(0)
};
static const unsigned char asset_45[] = {
#embed "assets/js/core/keys.js" if_empty(0)
};
static const unsigned char asset_46[] = {
#embed "assets/js/core/leb128.js" if_empty(0)
};
static const unsigned char asset_47[] = {
#embed "assets/js/core/live.js" if_empty(0)
};
static const unsigned char asset_48[] = {
#embed "assets/js/core/log-in.js" if_empty(0)
};
static const unsigned char asset_49[] = {
#embed "assets/js/core/menu.js" if_empty(0)
};
static const unsigned char asset_50[] = {
#embed "assets/js/core/palette.js" if_empty(0)
};
static const unsigned char asset_51[] = {
#embed "assets/js/core/pass-on.js" if_empty(0)
};
static const unsigned char asset_52[] = {
#embed "assets/js/core/preferences.js" if_empty(0)
};
static const unsigned char asset_53[] = {
#embed "assets/js/core/problem.js" if_empty(0)
};
static const unsigned char asset_54[] = {
#embed "assets/js/core/route.js" if_empty(0)
};
static const unsigned char asset_55[] = {
#embed "assets/js/core/save-file.js" if_empty(0)
};
static const unsigned char asset_56[] = {
#embed "assets/js/core/scroll-space.js" if_empty(0)
};
static const unsigned char asset_57[] = {
#embed "assets/js/core/splitter.js" if_empty(0)
};
static const unsigned char asset_58[] = {
#embed "assets/js/core/style.js" if_empty(0)
};
static const unsigned char asset_59[] = {
#embed "assets/js/core/theme.js" if_empty(0)
};
static const unsigned char asset_60[] = {
#embed "assets/js/core/traffic.js" if_empty(0)
};
static const unsigned char asset_61[] = {
#embed "assets/js/core/types.js" if_empty(0)
};
static const unsigned char asset_62[] = {
#embed "assets/js/early.js" if_empty(0)
};
static const unsigned char asset_63[] = {
#embed "assets/js/main.js" if_empty(0)
};
static const unsigned char asset_64[] = {
#embed "assets/js/pages.js" if_empty(0)
};
static const unsigned char asset_65[] = {
#embed "assets/js/pages/breakpoints/breakpoint-list.js" if_empty(0)
};
static const unsigned char asset_66[] = {
#embed "assets/js/pages/breakpoints/breakpoints-page.js" if_empty(0)
};
static const unsigned char asset_67[] = {
#embed "assets/js/pages/breakpoints/held-editor.js" if_empty(0)
};
static const unsigned char asset_68[] = {
#embed "assets/js/pages/breakpoints/message-text.js" if_empty(0)
};
static const unsigned char asset_69[] = {
#embed "assets/js/pages/classroom/class-actions.js" if_empty(0)
};
static const unsigned char asset_70[] = {
#embed "assets/js/pages/classroom/class-poll.js" if_empty(0)
};
static const unsigned char asset_71[] = {
#embed "assets/js/pages/classroom/class-table.js" if_empty(0)
};
static const unsigned char asset_72[] = {
#embed "assets/js/pages/classroom/classroom-page.js" if_empty(0)
};
static const unsigned char asset_73[] = {
#embed "assets/js/pages/classroom/classroom-words.js" if_empty(0)
};
static const unsigned char asset_74[] = {
#embed "assets/js/pages/classroom/diagram.js" if_empty(0)
};
static const unsigned char asset_75[] = {
#embed "assets/js/pages/classroom/lesson-files.js" if_empty(0)
};
static const unsigned char asset_76[] = {
#embed "assets/js/pages/classroom/lesson-trials.js" if_empty(0)
};
static const unsigned char asset_77[] = {
#embed "assets/js/pages/classroom/lessons-page.js" if_empty(0)
};
static const unsigned char asset_78[] = {
#embed "assets/js/pages/classroom/words.js" if_empty(0)
};
static const unsigned char asset_79[] = {
#embed "assets/js/pages/compose/answer-view.js" if_empty(0)
};
static const unsigned char asset_80[] = {
#embed "assets/js/pages/compose/body-editor.js" if_empty(0)
};
static const unsigned char asset_81[] = {
#embed "assets/js/pages/compose/compose-page.js" if_empty(0)
};
static const unsigned char asset_82[] = {
#embed "assets/js/pages/compose/fields-editor.js" if_empty(0)
};
static const unsigned char asset_83[] = {
#embed "assets/js/pages/compose/held-source.js" if_empty(0)
};
static const unsigned char asset_84[] = {
#embed "assets/js/pages/compose/library-panel.js" if_empty(0)
};
static const unsigned char asset_85[] = {
#embed "assets/js/pages/compose/pairs-table.js" if_empty(0)
};
static const unsigned char asset_86[] = {
#embed "assets/js/pages/compose/request-form.js" if_empty(0)
};
static const unsigned char asset_87[] = {
#embed "assets/js/pages/connect/connect-page.js" if_empty(0)
};
static const unsigned char asset_88[] = {
#embed "assets/js/pages/connect/obstacles.js" if_empty(0)
};
static const unsigned char asset_89[] = {
#embed "assets/js/pages/connect/qr-code.js" if_empty(0)
};
static const unsigned char asset_90[] = {
#embed "assets/js/pages/diff/diff.js" if_empty(0)
};
static const unsigned char asset_91[] = {
#embed "assets/js/pages/events/log-page.js" if_empty(0)
};
static const unsigned char asset_92[] = {
#embed "assets/js/pages/exchange/compare-page.js" if_empty(0)
};
static const unsigned char asset_93[] = {
#embed "assets/js/pages/exchange/exchange-page.js" if_empty(0)
};
static const unsigned char asset_94[] = {
#embed "assets/js/pages/exchange/import-list.js" if_empty(0)
};
static const unsigned char asset_95[] = {
#embed "assets/js/pages/exchange/upload.js" if_empty(0)
};
static const unsigned char asset_96[] = {
#embed "assets/js/pages/lab/lab-evidence.js" if_empty(0)
};
static const unsigned char asset_97[] = {
#embed "assets/js/pages/lab/lab-form.js" if_empty(0)
};
static const unsigned char asset_98[] = {
#embed "assets/js/pages/lab/lab-matrix.js" if_empty(0)
};
static const unsigned char asset_99[] = {
#embed "assets/js/pages/lab/lab-page.js" if_empty(0)
};
static const unsigned char asset_100[] = {
#embed "assets/js/pages/rules/rule-editor.js" if_empty(0)
};
static const unsigned char asset_101[] = {
#embed "assets/js/pages/rules/rule-field.js" if_empty(0)
};
static const unsigned char asset_102[] = {
#embed "assets/js/pages/rules/rule-form.js" if_empty(0)
};
static const unsigned char asset_103[] = {
#embed "assets/js/pages/rules/rule-preview.js" if_empty(0)
};
static const unsigned char asset_104[] = {
#embed "assets/js/pages/rules/rules-page.js" if_empty(0)
};
static const unsigned char asset_105[] = {
#embed "assets/js/pages/settings/capture-scope.js" if_empty(0)
};
static const unsigned char asset_106[] = {
#embed "assets/js/pages/settings/proxy-settings.js" if_empty(0)
};
static const unsigned char asset_107[] = {
#embed "assets/js/pages/settings/settings.js" if_empty(0)
};
static const unsigned char asset_108[] = {
#embed "assets/js/pages/settings/throttling.js" if_empty(0)
};
static const unsigned char asset_109[] = {
#embed "assets/js/pages/settings/trust-settings.js" if_empty(0)
};
static const unsigned char asset_110[] = {
#embed "assets/js/pages/statistics/statistics-page.js" if_empty(0)
};
static const unsigned char asset_111[] = {
#embed "assets/js/pages/timeline/axis.js" if_empty(0)
};
static const unsigned char asset_112[] = {
#embed "assets/js/pages/timeline/group-view.js" if_empty(0)
};
static const unsigned char asset_113[] = {
#embed "assets/js/pages/timeline/page-loads.js" if_empty(0)
};
static const unsigned char asset_114[] = {
#embed "assets/js/pages/timeline/picture.js" if_empty(0)
};
static const unsigned char asset_115[] = {
#embed "assets/js/pages/timeline/timeline-page.js" if_empty(0)
};
static const unsigned char asset_116[] = {
#embed "assets/js/parts/body/binary-text.js" if_empty(0)
};
static const unsigned char asset_117[] = {
#embed "assets/js/parts/body/body-source.js" if_empty(0)
};
static const unsigned char asset_118[] = {
#embed "assets/js/parts/body/body-view.js" if_empty(0)
};
static const unsigned char asset_119[] = {
#embed "assets/js/parts/body/cbor-text.js" if_empty(0)
};
static const unsigned char asset_120[] = {
#embed "assets/js/parts/body/code-view.js" if_empty(0)
};
static const unsigned char asset_121[] = {
#embed "assets/js/parts/body/formatter.js" if_empty(0)
};
static const unsigned char asset_122[] = {
#embed "assets/js/parts/body/graphql-text.js" if_empty(0)
};
static const unsigned char asset_123[] = {
#embed "assets/js/parts/body/hex-document.js" if_empty(0)
};
static const unsigned char asset_124[] = {
#embed "assets/js/parts/body/highlight.js" if_empty(0)
};
static const unsigned char asset_125[] = {
#embed "assets/js/parts/body/html-text.js" if_empty(0)
};
static const unsigned char asset_126[] = {
#embed "assets/js/parts/body/json-pointer.js" if_empty(0)
};
static const unsigned char asset_127[] = {
#embed "assets/js/parts/body/json-text.js" if_empty(0)
};
static const unsigned char asset_128[] = {
#embed "assets/js/parts/body/jwt.js" if_empty(0)
};
static const unsigned char asset_129[] = {
#embed "assets/js/parts/body/layouts.js" if_empty(0)
};
static const unsigned char asset_130[] = {
#embed "assets/js/parts/body/lines.js" if_empty(0)
};
static const unsigned char asset_131[] = {
#embed "assets/js/parts/body/msgpack-text.js" if_empty(0)
};
static const unsigned char asset_132[] = {
#embed "assets/js/parts/body/multipart.js" if_empty(0)
};
static const unsigned char asset_133[] = {
#embed "assets/js/parts/body/pointer-box.js" if_empty(0)
};
static const unsigned char asset_134[] = {
#embed "assets/js/parts/body/query-view.js" if_empty(0)
};
static const unsigned char asset_135[] = {
#embed "assets/js/parts/body/row-menu.js" if_empty(0)
};
static const unsigned char asset_136[] = {
#embed "assets/js/parts/body/script-text.js" if_empty(0)
};
static const unsigned char asset_137[] = {
#embed "assets/js/parts/body/style-text.js" if_empty(0)
};
static const unsigned char asset_138[] = {
#embed "assets/js/parts/body/text-document.js" if_empty(0)
};
static const unsigned char asset_139[] = {
#embed "assets/js/parts/body/views.js" if_empty(0)
};
static const unsigned char asset_140[] = {
#embed "assets/js/parts/body/worker.js" if_empty(0)
};
static const unsigned char asset_141[] = {
#embed "assets/js/parts/body/xml-text.js" if_empty(0)
};
static const unsigned char asset_142[] = {
#embed "assets/js/parts/compose/body-text.js" if_empty(0)
};
static const unsigned char asset_143[] = {
#embed "assets/js/parts/compose/captured-request.js" if_empty(0)
};
static const unsigned char asset_144[] = {
#embed "assets/js/parts/compose/compose-dialogs.js" if_empty(0)
};
static const unsigned char asset_145[] = {
#embed "assets/js/parts/compose/compose-library.js" if_empty(0)
};
static const unsigned char asset_146[] = {
#embed "assets/js/parts/compose/curl-reader.js" if_empty(0)
};
static const unsigned char asset_147[] = {
#embed "assets/js/parts/compose/repeat.js" if_empty(0)
};
static const unsigned char asset_148[] = {
#embed "assets/js/parts/compose/save-item.js" if_empty(0)
};
static const unsigned char asset_149[] = {
#embed "assets/js/parts/compose/shell-command.js" if_empty(0)
};
static const unsigned char asset_150[] = {
#embed "assets/js/parts/compose/variables.js" if_empty(0)
};
static const unsigned char asset_151[] = {
#embed "assets/js/parts/compose/written-request.js" if_empty(0)
};
static const unsigned char asset_152[] = {
#embed "assets/js/parts/detail/cause-card.js" if_empty(0)
};
static const unsigned char asset_153[] = {
#embed "assets/js/parts/detail/certificates.js" if_empty(0)
};
static const unsigned char asset_154[] = {
#embed "assets/js/parts/detail/copy-request.js" if_empty(0)
};
static const unsigned char asset_155[] = {
#embed "assets/js/parts/detail/detail-pane.js" if_empty(0)
};
static const unsigned char asset_156[] = {
#embed "assets/js/parts/detail/differs-sign.js" if_empty(0)
};
static const unsigned char asset_157[] = {
#embed "assets/js/parts/detail/error-page.js" if_empty(0)
};
static const unsigned char asset_158[] = {
#embed "assets/js/parts/detail/exchange-panel.js" if_empty(0)
};
static const unsigned char asset_159[] = {
#embed "assets/js/parts/detail/host-trust.js" if_empty(0)
};
static const unsigned char asset_160[] = {
#embed "assets/js/parts/detail/message-panel.js" if_empty(0)
};
static const unsigned char asset_161[] = {
#embed "assets/js/parts/detail/message-search.js" if_empty(0)
};
static const unsigned char asset_162[] = {
#embed "assets/js/parts/detail/messages-panel.js" if_empty(0)
};
static const unsigned char asset_163[] = {
#embed "assets/js/parts/detail/overview.js" if_empty(0)
};
static const unsigned char asset_164[] = {
#embed "assets/js/parts/detail/rule-hits.js" if_empty(0)
};
static const unsigned char asset_165[] = {
#embed "assets/js/parts/detail/server-timing.js" if_empty(0)
};
static const unsigned char asset_166[] = {
#embed "assets/js/parts/detail/text-ranges.js" if_empty(0)
};
static const unsigned char asset_167[] = {
#embed "assets/js/parts/detail/tls-names.js" if_empty(0)
};
static const unsigned char asset_168[] = {
#embed "assets/js/parts/detail/tls-panel.js" if_empty(0)
};
static const unsigned char asset_169[] = {
#embed "assets/js/parts/detail/waterfall.js" if_empty(0)
};
static const unsigned char asset_170[] = {
#embed "assets/js/parts/diff/line-diff.js" if_empty(0)
};
static const unsigned char asset_171[] = {
#embed "assets/js/parts/diff/save-settings.js" if_empty(0)
};
static const unsigned char asset_172[] = {
#embed "assets/js/parts/rules/breakpoint-rules.js" if_empty(0)
};
static const unsigned char asset_173[] = {
#embed "assets/js/parts/rules/change-rules.js" if_empty(0)
};
static const unsigned char asset_174[] = {
#embed "assets/js/parts/rules/rule-from.js" if_empty(0)
};
static const unsigned char asset_175[] = {
#embed "assets/js/parts/rules/rule-json.js" if_empty(0)
};
static const unsigned char asset_176[] = {
#embed "assets/js/parts/traffic/columns.js" if_empty(0)
};
static const unsigned char asset_177[] = {
#embed "assets/js/parts/traffic/empty-state.js" if_empty(0)
};
static const unsigned char asset_178[] = {
#embed "assets/js/parts/traffic/filter-box.js" if_empty(0)
};
static const unsigned char asset_179[] = {
#embed "assets/js/parts/traffic/filter-completion.js" if_empty(0)
};
static const unsigned char asset_180[] = {
#embed "assets/js/parts/traffic/filter-words.js" if_empty(0)
};
static const unsigned char asset_181[] = {
#embed "assets/js/parts/traffic/grid-header.js" if_empty(0)
};
static const unsigned char asset_182[] = {
#embed "assets/js/parts/traffic/host-tree.js" if_empty(0)
};
static const unsigned char asset_183[] = {
#embed "assets/js/parts/traffic/id-list.js" if_empty(0)
};
static const unsigned char asset_184[] = {
#embed "assets/js/parts/traffic/item-cache.js" if_empty(0)
};
static const unsigned char asset_185[] = {
#embed "assets/js/parts/traffic/item-menu.js" if_empty(0)
};
static const unsigned char asset_186[] = {
#embed "assets/js/parts/traffic/kind-chips.js" if_empty(0)
};
static const unsigned char asset_187[] = {
#embed "assets/js/parts/traffic/notes.js" if_empty(0)
};
static const unsigned char asset_188[] = {
#embed "assets/js/parts/traffic/remove-items.js" if_empty(0)
};
static const unsigned char asset_189[] = {
#embed "assets/js/parts/traffic/saved-filters.js" if_empty(0)
};
static const unsigned char asset_190[] = {
#embed "assets/js/parts/traffic/search-places.js" if_empty(0)
};
static const unsigned char asset_191[] = {
#embed "assets/js/parts/traffic/sorted-ids.js" if_empty(0)
};
static const unsigned char asset_192[] = {
#embed "assets/js/parts/traffic/sorting.js" if_empty(0)
};
static const unsigned char asset_193[] = {
#embed "assets/js/parts/traffic/status-bar.js" if_empty(0)
};
static const unsigned char asset_194[] = {
#embed "assets/js/parts/traffic/toolbar.js" if_empty(0)
};
static const unsigned char asset_195[] = {
#embed "assets/js/parts/traffic/traffic-grid.js" if_empty(0)
};
static const unsigned char asset_196[] = {
#embed "assets/js/parts/traffic/traffic-list.js" if_empty(0)
};
static const unsigned char asset_197[] = {
#embed "assets/js/parts/traffic/traffic-model.js" if_empty(0)
};
static const unsigned char asset_198[] = {
#embed "assets/js/parts/traffic/unseen-button.js" if_empty(0)
};
static const unsigned char asset_199[] = {
#embed "assets/js/parts/traffic/waterfall-column.js" if_empty(0)
};
static const unsigned char asset_200[] = {
#embed "assets/js/workbench.js" if_empty(0)
};

static const struct {
    const char *name;
    const unsigned char *bytes;
    size_t size;
} assets[] = {
    {"class.html", asset_0, sizeof asset_0},
    {"css/base.css", asset_1, sizeof asset_1},
    {"css/body.css", asset_2, sizeof asset_2},
    {"css/breakpoints.css", asset_3, sizeof asset_3},
    {"css/class.css", asset_4, sizeof asset_4},
    {"css/classroom.css", asset_5, sizeof asset_5},
    {"css/compose-page.css", asset_6, sizeof asset_6},
    {"css/compose.css", asset_7, sizeof asset_7},
    {"css/connect.css", asset_8, sizeof asset_8},
    {"css/detail.css", asset_9, sizeof asset_9},
    {"css/exchange.css", asset_10, sizeof asset_10},
    {"css/grid.css", asset_11, sizeof asset_11},
    {"css/lab.css", asset_12, sizeof asset_12},
    {"css/lessons.css", asset_13, sizeof asset_13},
    {"css/pages.css", asset_14, sizeof asset_14},
    {"css/palette.css", asset_15, sizeof asset_15},
    {"css/rules.css", asset_16, sizeof asset_16},
    {"css/shell.css", asset_17, sizeof asset_17},
    {"css/theme.css", asset_18, sizeof asset_18},
    {"css/timeline.css", asset_19, sizeof asset_19},
    {"css/tls.css", asset_20, sizeof asset_20},
    {"icon.svg", asset_21, sizeof asset_21},
    {"index.html", asset_22, sizeof asset_22},
    {"js/core/abort.js", asset_23, sizeof asset_23},
    {"js/core/advice.js", asset_24, sizeof asset_24},
    {"js/core/announce.js", asset_25, sizeof asset_25},
    {"js/core/api.js", asset_26, sizeof asset_26},
    {"js/core/banner.js", asset_27, sizeof asset_27},
    {"js/core/browsers.js", asset_28, sizeof asset_28},
    {"js/core/clipboard.js", asset_29, sizeof asset_29},
    {"js/core/dialog.js", asset_30, sizeof asset_30},
    {"js/core/dom.js", asset_31, sizeof asset_31},
    {"js/core/draft.js", asset_32, sizeof asset_32},
    {"js/core/emitter.js", asset_33, sizeof asset_33},
    {"js/core/event-feed.js", asset_34, sizeof asset_34},
    {"js/core/facts.js", asset_35, sizeof asset_35},
    {"js/core/fields-table.js", asset_36, sizeof asset_36},
    {"js/core/fields.js", asset_37, sizeof asset_37},
    {"js/core/first-step.js", asset_38, sizeof asset_38},
    {"js/core/format.js", asset_39, sizeof asset_39},
    {"js/core/head.js", asset_40, sizeof asset_40},
    {"js/core/held.js", asset_41, sizeof asset_41},
    {"js/core/help.js", asset_42, sizeof asset_42},
    {"js/core/host-patterns.js", asset_43, sizeof asset_43},
    {"js/core/icons.js", asset_44, sizeof asset_44},
    {"js/core/keys.js", asset_45, sizeof asset_45},
    {"js/core/leb128.js", asset_46, sizeof asset_46},
    {"js/core/live.js", asset_47, sizeof asset_47},
    {"js/core/log-in.js", asset_48, sizeof asset_48},
    {"js/core/menu.js", asset_49, sizeof asset_49},
    {"js/core/palette.js", asset_50, sizeof asset_50},
    {"js/core/pass-on.js", asset_51, sizeof asset_51},
    {"js/core/preferences.js", asset_52, sizeof asset_52},
    {"js/core/problem.js", asset_53, sizeof asset_53},
    {"js/core/route.js", asset_54, sizeof asset_54},
    {"js/core/save-file.js", asset_55, sizeof asset_55},
    {"js/core/scroll-space.js", asset_56, sizeof asset_56},
    {"js/core/splitter.js", asset_57, sizeof asset_57},
    {"js/core/style.js", asset_58, sizeof asset_58},
    {"js/core/theme.js", asset_59, sizeof asset_59},
    {"js/core/traffic.js", asset_60, sizeof asset_60},
    {"js/core/types.js", asset_61, sizeof asset_61},
    {"js/early.js", asset_62, sizeof asset_62},
    {"js/main.js", asset_63, sizeof asset_63},
    {"js/pages.js", asset_64, sizeof asset_64},
    {"js/pages/breakpoints/breakpoint-list.js", asset_65, sizeof asset_65},
    {"js/pages/breakpoints/breakpoints-page.js", asset_66, sizeof asset_66},
    {"js/pages/breakpoints/held-editor.js", asset_67, sizeof asset_67},
    {"js/pages/breakpoints/message-text.js", asset_68, sizeof asset_68},
    {"js/pages/classroom/class-actions.js", asset_69, sizeof asset_69},
    {"js/pages/classroom/class-poll.js", asset_70, sizeof asset_70},
    {"js/pages/classroom/class-table.js", asset_71, sizeof asset_71},
    {"js/pages/classroom/classroom-page.js", asset_72, sizeof asset_72},
    {"js/pages/classroom/classroom-words.js", asset_73, sizeof asset_73},
    {"js/pages/classroom/diagram.js", asset_74, sizeof asset_74},
    {"js/pages/classroom/lesson-files.js", asset_75, sizeof asset_75},
    {"js/pages/classroom/lesson-trials.js", asset_76, sizeof asset_76},
    {"js/pages/classroom/lessons-page.js", asset_77, sizeof asset_77},
    {"js/pages/classroom/words.js", asset_78, sizeof asset_78},
    {"js/pages/compose/answer-view.js", asset_79, sizeof asset_79},
    {"js/pages/compose/body-editor.js", asset_80, sizeof asset_80},
    {"js/pages/compose/compose-page.js", asset_81, sizeof asset_81},
    {"js/pages/compose/fields-editor.js", asset_82, sizeof asset_82},
    {"js/pages/compose/held-source.js", asset_83, sizeof asset_83},
    {"js/pages/compose/library-panel.js", asset_84, sizeof asset_84},
    {"js/pages/compose/pairs-table.js", asset_85, sizeof asset_85},
    {"js/pages/compose/request-form.js", asset_86, sizeof asset_86},
    {"js/pages/connect/connect-page.js", asset_87, sizeof asset_87},
    {"js/pages/connect/obstacles.js", asset_88, sizeof asset_88},
    {"js/pages/connect/qr-code.js", asset_89, sizeof asset_89},
    {"js/pages/diff/diff.js", asset_90, sizeof asset_90},
    {"js/pages/events/log-page.js", asset_91, sizeof asset_91},
    {"js/pages/exchange/compare-page.js", asset_92, sizeof asset_92},
    {"js/pages/exchange/exchange-page.js", asset_93, sizeof asset_93},
    {"js/pages/exchange/import-list.js", asset_94, sizeof asset_94},
    {"js/pages/exchange/upload.js", asset_95, sizeof asset_95},
    {"js/pages/lab/lab-evidence.js", asset_96, sizeof asset_96},
    {"js/pages/lab/lab-form.js", asset_97, sizeof asset_97},
    {"js/pages/lab/lab-matrix.js", asset_98, sizeof asset_98},
    {"js/pages/lab/lab-page.js", asset_99, sizeof asset_99},
    {"js/pages/rules/rule-editor.js", asset_100, sizeof asset_100},
    {"js/pages/rules/rule-field.js", asset_101, sizeof asset_101},
    {"js/pages/rules/rule-form.js", asset_102, sizeof asset_102},
    {"js/pages/rules/rule-preview.js", asset_103, sizeof asset_103},
    {"js/pages/rules/rules-page.js", asset_104, sizeof asset_104},
    {"js/pages/settings/capture-scope.js", asset_105, sizeof asset_105},
    {"js/pages/settings/proxy-settings.js", asset_106, sizeof asset_106},
    {"js/pages/settings/settings.js", asset_107, sizeof asset_107},
    {"js/pages/settings/throttling.js", asset_108, sizeof asset_108},
    {"js/pages/settings/trust-settings.js", asset_109, sizeof asset_109},
    {"js/pages/statistics/statistics-page.js", asset_110, sizeof asset_110},
    {"js/pages/timeline/axis.js", asset_111, sizeof asset_111},
    {"js/pages/timeline/group-view.js", asset_112, sizeof asset_112},
    {"js/pages/timeline/page-loads.js", asset_113, sizeof asset_113},
    {"js/pages/timeline/picture.js", asset_114, sizeof asset_114},
    {"js/pages/timeline/timeline-page.js", asset_115, sizeof asset_115},
    {"js/parts/body/binary-text.js", asset_116, sizeof asset_116},
    {"js/parts/body/body-source.js", asset_117, sizeof asset_117},
    {"js/parts/body/body-view.js", asset_118, sizeof asset_118},
    {"js/parts/body/cbor-text.js", asset_119, sizeof asset_119},
    {"js/parts/body/code-view.js", asset_120, sizeof asset_120},
    {"js/parts/body/formatter.js", asset_121, sizeof asset_121},
    {"js/parts/body/graphql-text.js", asset_122, sizeof asset_122},
    {"js/parts/body/hex-document.js", asset_123, sizeof asset_123},
    {"js/parts/body/highlight.js", asset_124, sizeof asset_124},
    {"js/parts/body/html-text.js", asset_125, sizeof asset_125},
    {"js/parts/body/json-pointer.js", asset_126, sizeof asset_126},
    {"js/parts/body/json-text.js", asset_127, sizeof asset_127},
    {"js/parts/body/jwt.js", asset_128, sizeof asset_128},
    {"js/parts/body/layouts.js", asset_129, sizeof asset_129},
    {"js/parts/body/lines.js", asset_130, sizeof asset_130},
    {"js/parts/body/msgpack-text.js", asset_131, sizeof asset_131},
    {"js/parts/body/multipart.js", asset_132, sizeof asset_132},
    {"js/parts/body/pointer-box.js", asset_133, sizeof asset_133},
    {"js/parts/body/query-view.js", asset_134, sizeof asset_134},
    {"js/parts/body/row-menu.js", asset_135, sizeof asset_135},
    {"js/parts/body/script-text.js", asset_136, sizeof asset_136},
    {"js/parts/body/style-text.js", asset_137, sizeof asset_137},
    {"js/parts/body/text-document.js", asset_138, sizeof asset_138},
    {"js/parts/body/views.js", asset_139, sizeof asset_139},
    {"js/parts/body/worker.js", asset_140, sizeof asset_140},
    {"js/parts/body/xml-text.js", asset_141, sizeof asset_141},
    {"js/parts/compose/body-text.js", asset_142, sizeof asset_142},
    {"js/parts/compose/captured-request.js", asset_143, sizeof asset_143},
    {"js/parts/compose/compose-dialogs.js", asset_144, sizeof asset_144},
    {"js/parts/compose/compose-library.js", asset_145, sizeof asset_145},
    {"js/parts/compose/curl-reader.js", asset_146, sizeof asset_146},
    {"js/parts/compose/repeat.js", asset_147, sizeof asset_147},
    {"js/parts/compose/save-item.js", asset_148, sizeof asset_148},
    {"js/parts/compose/shell-command.js", asset_149, sizeof asset_149},
    {"js/parts/compose/variables.js", asset_150, sizeof asset_150},
    {"js/parts/compose/written-request.js", asset_151, sizeof asset_151},
    {"js/parts/detail/cause-card.js", asset_152, sizeof asset_152},
    {"js/parts/detail/certificates.js", asset_153, sizeof asset_153},
    {"js/parts/detail/copy-request.js", asset_154, sizeof asset_154},
    {"js/parts/detail/detail-pane.js", asset_155, sizeof asset_155},
    {"js/parts/detail/differs-sign.js", asset_156, sizeof asset_156},
    {"js/parts/detail/error-page.js", asset_157, sizeof asset_157},
    {"js/parts/detail/exchange-panel.js", asset_158, sizeof asset_158},
    {"js/parts/detail/host-trust.js", asset_159, sizeof asset_159},
    {"js/parts/detail/message-panel.js", asset_160, sizeof asset_160},
    {"js/parts/detail/message-search.js", asset_161, sizeof asset_161},
    {"js/parts/detail/messages-panel.js", asset_162, sizeof asset_162},
    {"js/parts/detail/overview.js", asset_163, sizeof asset_163},
    {"js/parts/detail/rule-hits.js", asset_164, sizeof asset_164},
    {"js/parts/detail/server-timing.js", asset_165, sizeof asset_165},
    {"js/parts/detail/text-ranges.js", asset_166, sizeof asset_166},
    {"js/parts/detail/tls-names.js", asset_167, sizeof asset_167},
    {"js/parts/detail/tls-panel.js", asset_168, sizeof asset_168},
    {"js/parts/detail/waterfall.js", asset_169, sizeof asset_169},
    {"js/parts/diff/line-diff.js", asset_170, sizeof asset_170},
    {"js/parts/diff/save-settings.js", asset_171, sizeof asset_171},
    {"js/parts/rules/breakpoint-rules.js", asset_172, sizeof asset_172},
    {"js/parts/rules/change-rules.js", asset_173, sizeof asset_173},
    {"js/parts/rules/rule-from.js", asset_174, sizeof asset_174},
    {"js/parts/rules/rule-json.js", asset_175, sizeof asset_175},
    {"js/parts/traffic/columns.js", asset_176, sizeof asset_176},
    {"js/parts/traffic/empty-state.js", asset_177, sizeof asset_177},
    {"js/parts/traffic/filter-box.js", asset_178, sizeof asset_178},
    {"js/parts/traffic/filter-completion.js", asset_179, sizeof asset_179},
    {"js/parts/traffic/filter-words.js", asset_180, sizeof asset_180},
    {"js/parts/traffic/grid-header.js", asset_181, sizeof asset_181},
    {"js/parts/traffic/host-tree.js", asset_182, sizeof asset_182},
    {"js/parts/traffic/id-list.js", asset_183, sizeof asset_183},
    {"js/parts/traffic/item-cache.js", asset_184, sizeof asset_184},
    {"js/parts/traffic/item-menu.js", asset_185, sizeof asset_185},
    {"js/parts/traffic/kind-chips.js", asset_186, sizeof asset_186},
    {"js/parts/traffic/notes.js", asset_187, sizeof asset_187},
    {"js/parts/traffic/remove-items.js", asset_188, sizeof asset_188},
    {"js/parts/traffic/saved-filters.js", asset_189, sizeof asset_189},
    {"js/parts/traffic/search-places.js", asset_190, sizeof asset_190},
    {"js/parts/traffic/sorted-ids.js", asset_191, sizeof asset_191},
    {"js/parts/traffic/sorting.js", asset_192, sizeof asset_192},
    {"js/parts/traffic/status-bar.js", asset_193, sizeof asset_193},
    {"js/parts/traffic/toolbar.js", asset_194, sizeof asset_194},
    {"js/parts/traffic/traffic-grid.js", asset_195, sizeof asset_195},
    {"js/parts/traffic/traffic-list.js", asset_196, sizeof asset_196},
    {"js/parts/traffic/traffic-model.js", asset_197, sizeof asset_197},
    {"js/parts/traffic/unseen-button.js", asset_198, sizeof asset_198},
    {"js/parts/traffic/waterfall-column.js", asset_199, sizeof asset_199},
    {"js/workbench.js", asset_200, sizeof asset_200},
};

size_t pinhole_asset_count(void) { return sizeof assets / sizeof assets[0]; }
const char *pinhole_asset_name(size_t index) { return assets[index].name; }
const unsigned char *pinhole_asset_bytes(size_t index) { return assets[index].bytes; }
size_t pinhole_asset_size(size_t index) { return assets[index].size; }
