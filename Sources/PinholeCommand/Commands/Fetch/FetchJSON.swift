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
            let facts: JSONObject = ["type": "step", "milliseconds": entry.after.milliseconds]
            return JSONLine.text(facts.adding(object(entry.step)))
        } + [JSONLine.text(result(outcome))]
    }

    private static func result(_ outcome: FetchOutcome) -> JSONObject {
        let facts: JSONObject = ["type": "result", "url": outcome.story.url.description]
        switch outcome.result {
        case .success(let response):
            return facts.adding([
                "isFetched": true, "finalURL": response.url.description, "status": response.head.status,
                "bytes": response.body.count,
            ])
        case .failure(let failure): return facts.adding(["isFetched": false, "error": error(failure)])
        }
    }

    /// Returns the error that an app on URLSession would see.
    private static func error(_ failure: ClientFailure) -> JSONObject {
        [
            "domain": failure.code.domain, "code": failure.code.rawValue, "name": failure.code.name,
            "streamCode": failure.streamCode, "check": failure.check,
            "reason": failure.rejection?.reason.code, "alert": failure.alert?.description,
            "detail": failure.detail,
        ]
    }

    /// Returns a step; only the members of its kind are present.
    private static func object(_ step: FetchStep) -> JSONObject {
        switch step {
        case .resolved(let authority, _): ["step": "resolved", "authority": authority.description]
        case .connected(let address, let isProxy, _):
            ["step": "connected", "address": address, "isProxy": isProxy]
        case .notConnected(let authority, let isProxy, let attempts):
            [
                "step": "notConnected", "authority": authority.description, "isProxy": isProxy,
                "detail": FetchStepText.failures(attempts).joined(separator: "; "),
            ]
        case .tunnel(let authority, let status, let reason):
            ["step": "tunnel", "authority": authority.description, "status": status, "reason": reason]
        case .clientHello(let hello, _): ["step": "clientHello", "clientHello": hello]
        case .serverChain(let presentation):
            [
                "step": "serverChain", "chain": presentation.chain.map(certificate),
                "isFromSession": presentation.isFromSession, "isShared": presentation.isShared,
                "hasStaple": presentation.stapledResponse != nil,
                "timestamps": presentation.timestamps.entries.map(timestamp),
            ]
        case .challenge(let challenge, let level): object(challenge, level)
        case .judgement(let mechanism, let judgement, let others): object(mechanism, judgement, others)
        case .disposition(let disposition, let note):
            ["step": "disposition", "disposition": disposition.name, "detail": note]
        case .handshake(let version, let cipher, let applicationProtocol, let isResumed):
            [
                "step": "handshake", "version": version, "cipher": cipher,
                "applicationProtocol": applicationProtocol, "isResumed": isResumed,
            ]
        case .request(let method, let target, let fields):
            ["step": "request", "method": method, "target": target, "fields": fields]
        case .response(let head):
            [
                "step": "response", "status": head.status, "reason": head.reason,
                "fields": head.fields.pairs.map(ShownField.text),
            ]
        case .redirect(let url, let isFollowed, let note):
            ["step": "redirect", "target": url.description, "isFollowed": isFollowed, "detail": note]
        case .body(let count): ["step": "body", "bytes": count]
        case .trailers(let trailers): ["step": "trailers", "fields": trailers.pairs.map(ShownField.text)]
        case .note(let text): ["step": "note", "detail": text]
        case .failed(let failure): ["step": "failed", "error": error(failure)]
        }
    }

    private static func object(
        _ challenge: AuthenticationChallenge,
        _ level: ClientDelegate.Level?
    ) -> JSONObject {
        let space = challenge.protectionSpace
        return [
            "step": "challenge", "authority": "\(space.host.uriText):\(space.port)",
            "method": space.authenticationMethod.rawValue, "realm": space.realm, "isProxy": space.isProxy,
            "level": level?.rawValue, "previousFailureCount": challenge.previousFailureCount,
        ]
    }

    private static func object(
        _ mechanism: String,
        _ judgement: Judgement,
        _ others: PathSet
    ) -> JSONObject {
        let words = JudgementLine.Words(judgement)
        return [
            "step": "judgement", "mechanism": mechanism, "checks": judgement.checks,
            "verdict": words.verdict, "reason": words.reason,
            "detail": judgement.verdict == .trusted ? nil : words.detail,
            "otherPaths": others.paths.isEmpty ? nil : others.paths.map { $0.certificates.map(certificate) },
            "hasMorePaths": others.isComplete ? nil : true,
        ]
    }

    private static func certificate(_ facts: CertificateFacts) -> JSONObject {
        [
            "subject": facts.subject, "issuer": facts.issuer, "names": facts.names.map(\.description),
            "key": facts.keyKind.title, "notBefore": facts.notBefore.iso8601,
            "notAfter": facts.notAfter.iso8601, "pin": "sha256/" + Base64.encode(facts.spkiSHA256),
            "mustStaple": facts.mustStaple,
        ]
    }

    /// Returns a certificate timestamp, whose signature was not verified.
    private static func timestamp(_ entry: TimestampCollection.Entry) -> JSONObject {
        [
            "source": entry.source.rawValue, "log": Base64.encode(entry.timestamp.log),
            "time": entry.timestamp.time.iso8601,
        ]
    }
}
