import PinholeClient
import PinholeFormats
import PinholeModel
import PinholeTrust
import PinholeWire

/// A fetch as JSON: an object for each step, and one for the result; docs/JUDGE.md#json describes the keys.
enum FetchJSON {
    /// Returns the JSON lines of a fetch.
    static func lines(_ outcome: FetchOutcome) -> [String] {
        outcome.story.entries.map { entry in
            var object = FetchStepJSON(entry.step)
            object.milliseconds = entry.after.milliseconds
            return JSONLine.text(object)
        } + [JSONLine.text(FetchResultJSON(outcome))]
    }
}

/// The result of a fetch.
struct FetchResultJSON: Encodable {
    let type = "result"
    let url: String
    let isFetched: Bool
    var finalURL: String?
    var status: Int?
    var bytes: Int?
    var error: FetchErrorJSON?

    init(_ outcome: FetchOutcome) {
        url = outcome.story.url.description
        switch outcome.result {
        case .success(let response):
            isFetched = true
            finalURL = response.url.description
            status = response.head.status
            bytes = response.body.count
        case .failure(let failure):
            isFetched = false
            error = FetchErrorJSON(failure)
        }
    }
}

/// The error that an app on URLSession would see.
struct FetchErrorJSON: Encodable {
    let domain: String
    let code: Int
    let name: String
    let streamCode: Int?
    let check: String
    let reason: String?
    let alert: String?
    let detail: String

    init(_ failure: ClientFailure) {
        domain = failure.code.domain
        code = failure.code.rawValue
        name = failure.code.name
        streamCode = failure.streamCode
        check = failure.check
        reason = failure.rejection?.reason.code
        alert = failure.alert?.description
        detail = failure.detail
    }
}
