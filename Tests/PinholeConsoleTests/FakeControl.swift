import PinholeFilter
import PinholeModel
import PinholeProxy
import PinholeRuntime

@testable import PinholeSession

/// A control whose answers a test chooses; everything else is refused.
struct FakeControl: LocalProxyControl {
    static let refusal = Problem(500, "not expected", "the test does not expect this")

    var isOn: @Sendable () -> Bool = { true }
    var set: @Sendable (Bool) -> Void = { _ in }
    var scopeNow: @Sendable () -> RecordingScope = { RecordingScope(filter: "", leftOut: 0) }
    var setScope: @Sendable (String) throws(Problem) -> Void = { _ throws(Problem) in
        throw FakeControl.refusal
    }
    var shown: @Sendable () throws(Problem) -> ProxySettings = { () throws(Problem) in
        throw FakeControl.refusal
    }
    var setPassthrough: @Sendable ([String]) throws(Problem) -> Void = { _ throws(Problem) in
        throw FakeControl.refusal
    }
    var preview: @Sendable () throws(Problem) -> SettingsFile = { () throws(Problem) in
        throw FakeControl.refusal
    }
    var write: @Sendable (String) throws(Problem) -> SettingsFile = { _ throws(Problem) in
        throw FakeControl.refusal
    }
    var listing: @Sendable () -> RuleListing = { RuleListing(revision: 1, rules: [], remarks: []) }
    var forms: @Sendable () -> RuleForms = { .all }
    var replace: @Sendable ([String], Int?) throws(Problem) -> Void = { _, _ throws(Problem) in
        throw FakeControl.refusal
    }
    var check: @Sendable (String, Int?) -> Result<RuleReading, RuleMistake> = { _, _ in
        .failure(RuleMistake(place: "", message: ""))
    }
    var trustNow: @Sendable () throws(Problem) -> TrustListing = { () throws(Problem) in
        throw FakeControl.refusal
    }
    var accept: @Sendable (String, Bool) throws(Problem) -> Void = { _, _ throws(Problem) in
        throw FakeControl.refusal
    }
    var present: @Sendable (String, [UInt8], String) throws(Problem) -> Void = { _, _, _ throws(Problem) in
        throw FakeControl.refusal
    }
    var withdraw: @Sendable (String) throws(Problem) -> Void = { _ throws(Problem) in
        throw FakeControl.refusal
    }
    var listBrowsers: @Sendable () throws(Problem) -> BrowserListing = { () throws(Problem) in
        throw FakeControl.refusal
    }
    var open: @Sendable (String?, String?) throws(Problem) -> BrowserListing.Running = {
        _,
        _ throws(Problem) in throw FakeControl.refusal
    }
    var end: @Sendable (Int64) -> Bool = { _ in false }
    var begin: @Sendable (Int64, Bool) throws(Problem) -> RunPlace = { _, _ throws(Problem) in
        throw FakeControl.refusal
    }
    var leave: @Sendable (Int64) -> RunOutcome? = { _ in nil }
    var ways: @Sendable () throws(Problem) -> ConnectListing = { () throws(Problem) in
        throw FakeControl.refusal
    }
    var take: @Sendable (OwnMessage) -> OwnMessage.Outcome = { _ in .notOpen }
    var stop: @Sendable (Int64) -> Bool = { _ in false }

    /// Creates a control with some answers.
    init(_ change: (inout FakeControl) -> Void = { _ in }) { change(&self) }

    var isRecording: Bool { isOn() }
    var scope: RecordingScope { scopeNow() }
    var savedFilters: SavedFilters { SavedFilters() }
    var throttling: [RuleListing.Entry] { listing().throttling }
    var metrics: String? { nil }
    let breakpoints = HeldMessages()

    func setRecording(_ isOn: Bool) { set(isOn) }
    func settings() throws(Problem) -> ProxySettings { try shown() }
    func change(_ order: SettingsOrder) throws(Problem) {
        if let filter = order.captureFilter { try setScope(filter) }
        if let hosts = order.passthrough { try setPassthrough(hosts) }
    }
    func settingsFile() throws(Problem) -> SettingsFile { try preview() }
    func writeSettings(over fingerprint: String) throws(Problem) -> SettingsFile { try write(fingerprint) }
    func rules() -> RuleListing { listing() }
    func ruleForms() -> RuleForms { forms() }
    func replaceRules(with texts: [String], revision: Int?) throws(Problem) { try replace(texts, revision) }
    func checkRule(_ text: String, at index: Int?) -> Result<RuleReading, RuleMistake> { check(text, index) }
    func saveFilter(_ name: String, _ text: String?) throws(Problem) { throw Self.refusal }
    func trust() throws(Problem) -> TrustListing { try trustNow() }
    func acceptCertificate(of host: String, _ isAccepted: Bool) throws(Problem) {
        try accept(host, isAccepted)
    }
    func presentCertificate(_ content: [UInt8], password: String, to host: String) throws(Problem) {
        try present(host, content, password)
    }
    func withdrawCertificate(from host: String) throws(Problem) { try withdraw(host) }
    func browsers() throws(Problem) -> BrowserListing { try listBrowsers() }
    func openBrowser(_ name: String?, page: String?) throws(Problem) -> BrowserListing.Running {
        try open(name, page)
    }
    func endBrowser(_ id: Int64) -> Bool { end(id) }
    func beginRun(of process: Int64, isContainer: Bool) throws(Problem) -> RunPlace {
        try begin(process, isContainer)
    }
    func endRun(_ id: Int64) -> RunOutcome? { leave(id) }
    func connect() throws(Problem) -> ConnectListing { try ways() }
    func send(_ message: OwnMessage) -> OwnMessage.Outcome { take(message) }
    func send(_ order: RequestOrder) throws(Problem) -> SentRequest { throw Self.refusal }
    func abort(_ id: Int64) -> Bool { stop(id) }
}
