import PinholeModel

/// A path of the API and its operations.
struct ConsoleRoute: Sendable {
    /// The path; a part in braces matches any text.
    let pattern: String
    /// The operations by method; GET also answers HEAD.
    var methods: [String: ConsoleOperation]

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
    static let all: [ConsoleRoute] = {
        var routes: [ConsoleRoute] = []
        for (name, operation) in operations {
            let words = name.split(separator: " ").map(String.init)
            let index = routes.firstIndex { $0.pattern == words[1] } ?? routes.endIndex
            if index == routes.endIndex { routes.append(ConsoleRoute(pattern: words[1], methods: [:])) }
            routes[index].methods[words[0]] = operation
        }
        return routes
    }()

    /// The operations by method and path.
    private static let operations: KeyValuePairs<String, ConsoleOperation> = [
        "GET /api/state": .reading { try $0.state($1) },
        "GET /api/traffic": .reading("filter", "ids", "before", "limit", "within") { try $0.traffic($1) },
        "DELETE /api/traffic": .editing("filter", "ids") { try $0.remove($1) },
        "GET /api/traffic/index": .reading("filter", "after", "before", "sort", "order") { try $0.index($1) },
        "GET /api/traffic/{id}": .reading { try $0.detail($1) },
        "PATCH /api/traffic/{id}": .editing { try $0.note($1) },
        "GET /api/traffic/{id}/request-body": .reading("decoded", "offset", "length", "as") {
            try $0.body(.request, $1)
        },
        "GET /api/traffic/{id}/response-body": .reading("decoded", "offset", "length", "as") {
            try $0.body(.response, $1)
        },
        "GET /api/traffic/{id}/code": .reading("language") { try $0.code($1) },
        "GET /api/traffic/{id}/messages": .reading("after", "limit") { try $0.messages($1) },
        "POST /api/traffic/{id}/messages": .later { try await $0.sendMessage() },
        "POST /api/traffic/{id}/abort": .later { try await $0.abort() },
        "GET /api/flows/{id}/tls": .reading { try $0.handshakes($1) },
        "GET /api/hosts": .reading("filter") { try $0.hosts($1) },
        "GET /api/statistics": .reading("filter", "by") { try $0.statistics($1) },
        "GET /api/export": .later("format", "filter", "ids", "redact") { try await $0.export() },
        "GET /api/imports": .now { try $0.imports() },
        "POST /api/imports": .now("name", "format") { try $0.beginImport() },
        "GET /api/imports/{id}": .now { try $0.importJob() },
        "DELETE /api/imports/{id}": .now { try $0.cancelImport() },
        "GET /api/recordings": .now { try $0.recordings() },
        "POST /api/recordings": .now("name") { try $0.takeRecording() },
        "DELETE /api/recordings/{id}": .now { try $0.removeRecording() },
        "GET /api/comparison": .reading("before", "again", "filter") { try $0.comparison($1) },
        "POST /api/mcp": .later { try await $0.agent() },
        "GET /api/events": .now("filter", "after") { try $0.events() },
        "GET /api/filter": .now("text") { try $0.checkFilter() },
        "GET /api/filter/suggestion": .reading("filter") { try $0.suggestFilter($1) },
        "GET /api/filters": .now { try $0.savedFilters() },
        "PUT /api/filters/{name}": .later { try await $0.saveFilter() },
        "DELETE /api/filters/{name}": .later { try await $0.removeFilter() },
        "PUT /api/recording": .later { try await $0.setRecording() },
        "GET /api/lab": .now { try $0.labCatalogue() },
        "POST /api/lab/run": .working { (call, _) in try await call.runLab() },
        "DELETE /api/lab/run": .now { try $0.cancelLab() },
        "GET /api/lab/evidence": .now("policy", "scenario") { try $0.labEvidence() },
        "GET /api/lab/events": .now { try $0.labEvents() },
        "POST /api/classroom": .working("language") { (call, _) in try await call.classroom() },
        "GET /api/log": .now("after") { try $0.log() },
        "GET /api/settings": .later { try await $0.settings() },
        "PUT /api/settings": .later { try await $0.setSettings() },
        "GET /api/settings/file": .later { try await $0.settingsFile() },
        "PUT /api/settings/file": .later { try await $0.writeSettingsFile() },
        "GET /api/rules": .later { try await $0.rules() },
        "PUT /api/rules": .later { try await $0.setRules() },
        "GET /api/rules/kinds": .later { try await $0.ruleForms() },
        "POST /api/rules/check": .later { try await $0.checkRule() },
        "GET /api/browser": .later { try await $0.browsers() },
        "POST /api/browser": .later { try await $0.openBrowser() },
        "DELETE /api/browser/{id}": .later { try await $0.endBrowser() },
        "GET /api/connect": .later { try await $0.connect() },
        "POST /api/runs": .later { try await $0.beginRun() },
        "DELETE /api/runs/{id}": .later { try await $0.endRun() },
        "GET /api/trust": .later { try await $0.trust() },
        "PUT /api/trust/accepted/{host}": .later { try await $0.acceptCertificate() },
        "DELETE /api/trust/accepted/{host}": .later { try await $0.checkCertificate() },
        "PUT /api/trust/client-certificates/{host}": .later { try await $0.presentCertificate() },
        "DELETE /api/trust/client-certificates/{host}": .later { try await $0.withdrawCertificate() },
        "GET /api/breakpoints": .later { try await $0.breakpoints() },
        "GET /api/breakpoints/{id}": .later { try await $0.breakpoint() },
        "POST /api/breakpoints/{id}/continue": .later { try await $0.continueBreakpoint() },
        "POST /api/breakpoints/{id}/respond": .later { try await $0.respondBreakpoint() },
        "POST /api/breakpoints/{id}/drop": .later { try await $0.dropBreakpoint() },
        "GET /api/lessons": .working("language", in: .pages) { (call, _) in try call.lessons() },
        "POST /api/lessons/{id}/check": .working("language") { try await $0.checkLesson($1) },
        "POST /api/lessons/{id}/hint": .working("language", in: .pages) { (call, _) in try call.hintLesson()
        },
        "POST /api/lessons/{id}/try": .working("language") { (call, _) in try await call.tryLesson() },
        "GET /api/lessons/{id}/files/{name}": .working(in: .pages) { (call, _) in try call.lessonFile() },
        "PUT /api/lessons/{id}/files/{name}": .working(in: .pages) { (call, _) in try call.editLessonFile() },
        "GET /api/lessons/poll": .now { try $0.poll() },
        "POST /api/lessons/poll": .now { try $0.vote() },
        "POST /api/lessons/app": .working(in: .pages) { (call, _) in try await call.logInApp() },
        "GET /api/compose": .later { try $0.composeLibrary() },
        "PATCH /api/compose/collections/{collection}": .later { try $0.renameCollection() },
        "DELETE /api/compose/collections/{collection}": .later { try $0.removeCollection() },
        "PUT /api/compose/collections/{collection}/{request}": .later { try $0.saveComposed() },
        "PATCH /api/compose/collections/{collection}/{request}": .later { try $0.moveComposed() },
        "DELETE /api/compose/collections/{collection}/{request}": .later { try $0.removeComposed() },
        "PUT /api/compose/environments/{name}": .later { try $0.saveEnvironment() },
        "DELETE /api/compose/environments/{name}": .later { try $0.removeEnvironment() },
        "POST /api/compose/history": .later { try $0.addToHistory() },
        "DELETE /api/compose/history": .later { try $0.clearHistory() },
        "DELETE /api/compose/history/{id}": .later { try $0.removeFromHistory() },
        "POST /api/send": .later { try await $0.send() },
        "GET /api/openapi.json": .now { _ in ConsoleAssets.description },
    ]
}
