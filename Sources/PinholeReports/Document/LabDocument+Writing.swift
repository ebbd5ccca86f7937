import PinholeLab
import PinholeModel
import PinholeTrust

extension LabDocument {
    /// The document as JSON; docs/CI.md describes the keys.
    package var json: String {
        var text = JSONText()
        text.object { text in
            text.member("version", Self.version)
            text.member("host", host)
            text.member("started", started)
            if !shards.isEmpty { text.member("shards", strings: shards.map(\.description)) }
            if !selection.isEmpty { text.member("selection", strings: selection) }
            text.member("policies", list: policies) { text, row in
                text.object { text in
                    text.member("id", row.id)
                    text.member("title", row.title)
                    text.member("stance", row.stance.rawValue)
                    if let file = row.file { text.member("file", file) }
                    if let digest = row.digest { text.member("sha256", digest) }
                    if let line = row.line { text.member("line", line) }
                    if let fault = row.fault { text.member("fault", fault) }
                    if let advice = row.advice { text.member("advice", advice) }
                    if !row.notes.isEmpty { text.member("notes", strings: row.notes) }
                }
            }
            text.member("scenarios", list: scenarios) { $1.write(to: &$0) }
            text.member("cells", list: cells) { $1.write(to: &$0) }
            text.member("certificates") { text in
                for (digest, certificate) in certificates.sorted(by: { $0.key < $1.key }) {
                    text.name(digest)
                    certificate.write(to: &text)
                }
            }
        }
        return text.text + "\n"
    }
}

extension LabColumn {
    fileprivate func write(to text: inout JSONText) {
        text.object { text in
            text.member("id", id)
            text.member("title", title)
            text.member("kind", kind.rawValue)
            text.member("group", group)
            text.member("expected", expected.rawValue)
            text.member("presents", presents)
            text.member("precondition", precondition)
            text.member("correctClient", correctClient)
            text.member("remedy", remedy)
            text.member("references", strings: references)
        }
    }
}

extension LabDocument.Cell {
    fileprivate func write(to text: inout JSONText) {
        text.object { text in
            text.member("policy", place.policy)
            text.member("scenario", place.scenario)
            text.member("expected", expected.rawValue)
            text.member("outcome", outcome.rawValue)
            text.member("reason", reason)
            text.member("grade", grade.rawValue)
            text.member("evidence", list: evidence) { $1.write(to: &$0) }
        }
    }
}

extension LabEvidence {
    fileprivate func write(to text: inout JSONText) {
        text.object { text in
            text.member("decision", decision.rawValue)
            text.member("summary", summary)
            text.member("honest", strings: honest)
            text.member("presented", strings: presented)
            text.member("validated", strings: validated)
            text.member("checks", list: checks) { text, check in
                text.object { text in
                    text.member("name", check.name)
                    text.member("outcome", check.outcome.rawValue)
                    text.member("detail", check.detail)
                }
            }
            if let error {
                text.member("error") { text in
                    text.member("domain", error.domain)
                    if let code = error.code { text.member("code", code) }
                    text.member("name", error.name)
                    text.member("detail", error.detail)
                }
            }
            if let alert {
                text.member("alert") { text in
                    text.member("name", alert.name)
                    text.member("code", alert.code)
                }
            }
            if tlsVersion != nil || cipher != nil {
                text.member("handshake") { text in
                    text.member("version", tlsVersion)
                    text.member("cipher", cipher)
                }
            }
            text.member("requests", strings: requests)
        }
    }
}

extension LabCertificate {
    fileprivate func write(to text: inout JSONText) {
        text.object { text in
            text.member("subject", subject)
            text.member("issuer", issuer)
            text.member("names", strings: names)
            text.member("notBefore", notBefore)
            text.member("notAfter", notAfter)
            text.member("key", key)
            text.member("pin", pin)
            if let pem { text.member("pem", pem) }
        }
    }
}
