import PinholeFormats
import PinholeModel
import PinholeTrust

/// A judgement as a JSON object.
enum JudgementJSON {
    /// Returns a judgement, and the verdicts of all clients and hosts of the file if there are several.
    static func object(_ file: JudgedFile) -> JSONObject {
        let (judgement, others) = (file.main.judgement, file.main.others)
        return words(judgement).adding([
            "mechanism": file.main.mechanism, "checks": judgement.checks,
            "path": judgement.path.map(links) ?? [],
            "otherPaths": others.paths.isEmpty ? nil : others.paths.map(links),
            "hasMorePaths": others.isComplete ? nil : true,
            "parts": file.parts.count < 2 ? nil : file.parts.map(object),
        ])
    }

    private static func object(_ part: JudgedFile.Part) -> JSONObject {
        let names: JSONObject = ["client": part.client, "host": part.host?.description]
        return names.adding(words(part.judgement))
    }

    private static func words(_ judgement: Judgement) -> JSONObject {
        let words = JudgementLine.Words(judgement)
        return ["verdict": words.verdict, "reason": words.reason, "detail": words.detail]
    }

    private static func links(_ path: ValidatedChain) -> [JSONObject] {
        path.certificates.map { certificate in
            [
                "subject": certificate.subject, "issuer": certificate.issuer,
                "pin": "sha256/" + Base64.encode(certificate.spkiSHA256),
                "notAfter": certificate.notAfter.iso8601,
            ]
        }
    }
}
