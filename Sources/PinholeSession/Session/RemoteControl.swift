import PinholeModel

/// The control of a proxy in another process, by its control API; each area of actions extends it.
struct RemoteControl: ProxyControl {
    /// The members of requests; those that are `nil` are left out.
    struct Body: Encodable {
        var process: Int64?
        var isContainer: Bool?
        var isRecording: Bool?
        var captureFilter: String?
        var passthrough: [String]?
        var fingerprint: String?
        var rules: [String]?
        var revision: Int?
        var rule: String?
        var index: Int?
        var content: String?
        var password: String?
        var browser: String?
        var url: String?
        var to: Side?
        var text: String?
        var base64: String?
        var method: String?
        var path: String?
        var status: Int?
        var fields: [[String]]?
        var bodyBase64: String?
        var reset: Bool?
    }

    /// The answer with all held messages.
    struct Held: Decodable {
        let held: [HeldListing]
    }

    /// The answer about a rule; without a mistake it is a reading.
    struct CheckedRule: Decodable {
        let mistake: RuleMistake?
    }

    let api: ControlAPI
}
