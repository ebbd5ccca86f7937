import PinholeModel

/// A path of the API and its operations.
struct ConsoleRoute: Sendable {
    /// The path; a part in braces matches any text.
    let pattern: String
    /// The operations by method; GET also answers HEAD.
    let methods: [String: ConsoleOperation]

    /// Returns the texts of the pattern's parts in braces; `nil` if the path does not match.
    func match(_ path: [String]) -> [String]? {
        let parts = pattern.split(separator: "/")
        guard parts.count == path.count else { return nil }
        var parameters: [String] = []
        for (part, text) in zip(parts, path) {
            if part.hasPrefix("{") {
                guard !text.isEmpty else { return nil }
                parameters.append(text)
            } else if part != text {
                return nil
            }
        }
        return parameters
    }

    /// Whether the path belongs to the lessons of a class, or makes the experiment, which changes nothing.
    var isLesson: Bool { pattern.hasPrefix("/api/lessons/") || pattern == "/api/classroom" }

    /// The methods for the field Allow.
    var allowed: [String] {
        (methods["GET"] == nil ? [] : ["GET", "HEAD"]) + methods.keys.filter { $0 != "GET" }.sorted()
    }
}

extension ConsoleRoute {
    /// Every path of the API.
    static let all: [ConsoleRoute] = [
        ConsoleRoute(pattern: "/api/state", methods: ["GET": .reading { try $0.state($1) }]),
        ConsoleRoute(
            pattern: "/api/traffic",
            methods: [
                "GET": .reading("filter", "ids", "before", "limit", "within") { try $0.traffic($1) },
                "DELETE": .editing("filter", "ids") { try $0.remove($1) },
            ]
        ),
        ConsoleRoute(
            pattern: "/api/traffic/index",
            methods: ["GET": .reading("filter", "after", "before", "sort", "order") { try $0.index($1) }]
        ),
        ConsoleRoute(
            pattern: "/api/traffic/{id}",
            methods: ["GET": .reading { try $0.detail($1) }, "PATCH": .editing { try $0.note($1) }]
        ),
        ConsoleRoute(
            pattern: "/api/traffic/{id}/request-body",
            methods: ["GET": .reading("decoded", "offset", "length", "as") { try $0.body(.request, $1) }]
        ),
        ConsoleRoute(
            pattern: "/api/traffic/{id}/response-body",
            methods: ["GET": .reading("decoded", "offset", "length", "as") { try $0.body(.response, $1) }]
        ),
        ConsoleRoute(
            pattern: "/api/traffic/{id}/code",
            methods: ["GET": .reading("language") { try $0.code($1) }]
        ),
        ConsoleRoute(
            pattern: "/api/traffic/{id}/messages",
            methods: [
                "GET": .reading("after", "limit") { try $0.messages($1) },
                "POST": .later { try await $0.sendMessage() },
            ]
        ),
        ConsoleRoute(
            pattern: "/api/traffic/{id}/abort",
            methods: ["POST": .later { try await $0.abort() }]
        ),
        ConsoleRoute(pattern: "/api/flows/{id}/tls", methods: ["GET": .reading { try $0.handshakes($1) }]),
        ConsoleRoute(pattern: "/api/hosts", methods: ["GET": .reading("filter") { try $0.hosts($1) }]),
        ConsoleRoute(
            pattern: "/api/statistics",
            methods: ["GET": .reading("filter", "by") { try $0.statistics($1) }]
        ),
        ConsoleRoute(
            pattern: "/api/export",
            methods: ["GET": .later("format", "filter", "ids", "redact") { try await $0.export() }]
        ),
        ConsoleRoute(
            pattern: "/api/imports",
            methods: [
                "GET": .now { try $0.imports() }, "POST": .now("name", "format") { try $0.beginImport() },
            ]
        ),
        ConsoleRoute(
            pattern: "/api/imports/{id}",
            methods: ["GET": .now { try $0.importJob() }, "DELETE": .now { try $0.cancelImport() }]
        ),
        ConsoleRoute(
            pattern: "/api/recordings",
            methods: ["GET": .now { try $0.recordings() }, "POST": .now("name") { try $0.takeRecording() }]
        ),
        ConsoleRoute(
            pattern: "/api/recordings/{id}",
            methods: ["DELETE": .now { try $0.removeRecording() }]
        ),
        ConsoleRoute(
            pattern: "/api/comparison",
            methods: ["GET": .reading("before", "again", "filter") { try $0.comparison($1) }]
        ),
        ConsoleRoute(pattern: "/api/mcp", methods: ["POST": .later { try await $0.agent() }]),
        ConsoleRoute(pattern: "/api/events", methods: ["GET": .now("filter", "after") { try $0.events() }]),
        ConsoleRoute(pattern: "/api/filter", methods: ["GET": .now("text") { try $0.checkFilter() }]),
        ConsoleRoute(
            pattern: "/api/filter/suggestion",
            methods: ["GET": .reading("filter") { try $0.suggestFilter($1) }]
        ),
        ConsoleRoute(pattern: "/api/filters", methods: ["GET": .now { try $0.savedFilters() }]),
        ConsoleRoute(
            pattern: "/api/filters/{name}",
            methods: [
                "PUT": .later { try await $0.saveFilter() }, "DELETE": .later { try await $0.removeFilter() },
            ]
        ),
        ConsoleRoute(pattern: "/api/recording", methods: ["PUT": .later { try await $0.setRecording() }]),
        ConsoleRoute(pattern: "/api/lab", methods: ["GET": .now { try $0.labCatalogue() }]),
        ConsoleRoute(
            pattern: "/api/lab/run",
            methods: [
                "POST": .working { (call, _) in try await call.runLab() },
                "DELETE": .now { try $0.cancelLab() },
            ]
        ),
        ConsoleRoute(
            pattern: "/api/lab/evidence",
            methods: ["GET": .now("policy", "scenario") { try $0.labEvidence() }]
        ),
        ConsoleRoute(pattern: "/api/lab/events", methods: ["GET": .now { try $0.labEvents() }]),
        ConsoleRoute(
            pattern: "/api/classroom",
            methods: ["POST": .working("language") { (call, _) in try await call.classroom() }]
        ),
        ConsoleRoute(pattern: "/api/log", methods: ["GET": .now("after") { try $0.log() }]),
        ConsoleRoute(
            pattern: "/api/settings",
            methods: [
                "GET": .later { try await $0.settings() }, "PUT": .later { try await $0.setSettings() },
            ]
        ),
        ConsoleRoute(
            pattern: "/api/settings/file",
            methods: [
                "GET": .later { try await $0.settingsFile() },
                "PUT": .later { try await $0.writeSettingsFile() },
            ]
        ),
        ConsoleRoute(
            pattern: "/api/rules",
            methods: ["GET": .later { try await $0.rules() }, "PUT": .later { try await $0.setRules() }]
        ),
        ConsoleRoute(pattern: "/api/rules/kinds", methods: ["GET": .later { try await $0.ruleForms() }]),
        ConsoleRoute(pattern: "/api/rules/check", methods: ["POST": .later { try await $0.checkRule() }]),
        ConsoleRoute(
            pattern: "/api/browser",
            methods: [
                "GET": .later { try await $0.browsers() }, "POST": .later { try await $0.openBrowser() },
            ]
        ),
        ConsoleRoute(
            pattern: "/api/browser/{id}",
            methods: ["DELETE": .later { try await $0.endBrowser() }]
        ),
        ConsoleRoute(pattern: "/api/connect", methods: ["GET": .later { try await $0.connect() }]),
        ConsoleRoute(pattern: "/api/runs", methods: ["POST": .later { try await $0.beginRun() }]),
        ConsoleRoute(pattern: "/api/runs/{id}", methods: ["DELETE": .later { try await $0.endRun() }]),
        ConsoleRoute(pattern: "/api/trust", methods: ["GET": .later { try await $0.trust() }]),
        ConsoleRoute(
            pattern: "/api/trust/accepted/{host}",
            methods: [
                "PUT": .later { try await $0.acceptCertificate() },
                "DELETE": .later { try await $0.checkCertificate() },
            ]
        ),
        ConsoleRoute(
            pattern: "/api/trust/client-certificates/{host}",
            methods: [
                "PUT": .later { try await $0.presentCertificate() },
                "DELETE": .later { try await $0.withdrawCertificate() },
            ]
        ),
        ConsoleRoute(pattern: "/api/breakpoints", methods: ["GET": .later { try await $0.breakpoints() }]),
        ConsoleRoute(
            pattern: "/api/breakpoints/{id}",
            methods: ["GET": .later { try await $0.breakpoint() }]
        ),
        ConsoleRoute(
            pattern: "/api/breakpoints/{id}/continue",
            methods: ["POST": .later { try await $0.continueBreakpoint() }]
        ),
        ConsoleRoute(
            pattern: "/api/breakpoints/{id}/respond",
            methods: ["POST": .later { try await $0.respondBreakpoint() }]
        ),
        ConsoleRoute(
            pattern: "/api/breakpoints/{id}/drop",
            methods: ["POST": .later { try await $0.dropBreakpoint() }]
        ),
        ConsoleRoute(
            pattern: "/api/lessons",
            methods: ["GET": .working("language", in: .pages) { (call, _) in try call.lessons() }]
        ),
        ConsoleRoute(
            pattern: "/api/lessons/{id}/check",
            methods: ["POST": .working("language") { try await $0.checkLesson($1) }]
        ),
        ConsoleRoute(
            pattern: "/api/lessons/{id}/hint",
            methods: ["POST": .working("language", in: .pages) { (call, _) in try call.hintLesson() }]
        ),
        ConsoleRoute(
            pattern: "/api/lessons/{id}/try",
            methods: ["POST": .working("language") { (call, _) in try await call.tryLesson() }]
        ),
        ConsoleRoute(
            pattern: "/api/lessons/{id}/files/{name}",
            methods: [
                "GET": .working(in: .pages) { (call, _) in try call.lessonFile() },
                "PUT": .working(in: .pages) { (call, _) in try call.editLessonFile() },
            ]
        ),
        ConsoleRoute(
            pattern: "/api/lessons/poll",
            methods: ["GET": .now { try $0.poll() }, "POST": .now { try $0.vote() }]
        ),
        ConsoleRoute(
            pattern: "/api/lessons/app",
            methods: ["POST": .working(in: .pages) { (call, _) in try await call.logInApp() }]
        ),
        ConsoleRoute(
            pattern: "/api/compose",
            methods: ["GET": .later { try $0.composeLibrary() }]
        ),
        ConsoleRoute(
            pattern: "/api/compose/collections/{collection}",
            methods: [
                "PATCH": .later { try $0.renameCollection() }, "DELETE": .later { try $0.removeCollection() },
            ]
        ),
        ConsoleRoute(
            pattern: "/api/compose/collections/{collection}/{request}",
            methods: [
                "PUT": .later { try $0.saveComposed() }, "PATCH": .later { try $0.moveComposed() },
                "DELETE": .later { try $0.removeComposed() },
            ]
        ),
        ConsoleRoute(
            pattern: "/api/compose/environments/{name}",
            methods: [
                "PUT": .later { try $0.saveEnvironment() }, "DELETE": .later { try $0.removeEnvironment() },
            ]
        ),
        ConsoleRoute(
            pattern: "/api/compose/history",
            methods: [
                "POST": .later { try $0.addToHistory() }, "DELETE": .later { try $0.clearHistory() },
            ]
        ),
        ConsoleRoute(
            pattern: "/api/compose/history/{id}",
            methods: ["DELETE": .later { try $0.removeFromHistory() }]
        ),
        ConsoleRoute(pattern: "/api/send", methods: ["POST": .later { try await $0.send() }]),
        ConsoleRoute(pattern: "/api/openapi.json", methods: ["GET": .now { _ in ConsoleAssets.description }]),
    ]
}
