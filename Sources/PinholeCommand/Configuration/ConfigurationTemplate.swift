import PinholeCrypto
import PinholeModel
import PinholeProxy
import PinholeRuntime
import PinholeStore

/// The defaults as the text of a complete `config.json`.
enum ConfigurationTemplate {
    /// The text; the file at the top of the repository is the same, byte for byte.
    static var text: String {
        let defaults = Configuration()
        let sections = [
            ("proxy", object(proxy(defaults.proxy))),
            ("ca", object(authority(defaults.authority))),
            ("tls", object(tls(defaults.tls))),
            (
                "upstream",
                object([
                    ("proxy", "null"), ("credentials", "null"), ("bypass", "[]"), ("addresses", "[]"),
                    ("offline", "false"), ("mark", "null"),
                ])
            ),
            ("resolve", "[]"),
            ("capture", object(capture(defaults))),
            ("filters", "{}"),
            ("programs", "{}"),
            ("rules", "[]"),
            ("console", quoted("auto")),
            ("limits", object(limits(defaults.limits))),
        ]
        return object(sections) + "\n"
    }

    private static func proxy(_ section: Configuration.Proxy) -> [(String, String)] {
        [
            ("listen", "[\(section.listen.map { quoted($0.description) }.joined(separator: ", "))]"),
            ("clients", "[]"),
            ("credentials", "null"),
            ("users", "null"),
            ("certificates", "[]"),
        ]
    }

    private static func authority(_ section: Configuration.Authority) -> [(String, String)] {
        [
            ("directory", quoted(section.directory)),
            ("keyAlgorithm", quoted(section.keyAlgorithm.rawValue)),
            ("permittedDomains", "[]"),
        ]
    }

    private static func tls(_ section: Configuration.TLS) -> [(String, String)] {
        [
            ("client", versions(section.client)),
            ("server", versions(section.server)),
            ("upstreamCAs", "[]"),
            ("badCertificate", quoted(section.badCertificate.rawValue)),
            ("exemptions", "[]"),
            ("passthrough", "[]"),
            ("clientCertificates", "[]"),
        ]
    }

    private static func versions(_ versions: Configuration.Versions) -> String {
        object([
            ("minimum", quoted(versions.minimum.rawValue)), ("maximum", quoted(versions.maximum.rawValue)),
        ])
    }

    private static func capture(_ defaults: Configuration) -> [(String, String)] {
        [
            ("file", defaults.capture.file.map(quoted) ?? "null"),
            ("bodies", "\(defaults.capture.bodies)"),
            ("clientProcesses", "\(defaults.capture.clientProcesses)"),
            ("bodyLimitBytes", "\(defaults.limits.bodyCapture)"),
            ("maxAgeDays", defaults.capture.maxAgeDays.map(String.init) ?? "null"),
            ("maxSizeMB", defaults.capture.maxSizeMB.map(String.init) ?? "null"),
            ("whenFull", quoted(defaults.capture.whenFull.rawValue)),
            ("filter", "null"),
        ]
    }

    private static func limits(_ limits: Limits) -> [(String, String)] {
        Configuration.counts.map { ($0.key, "\(limits[keyPath: $0.path])") }
            + Configuration.deadlines.map { ($0.key, "\(limits[keyPath: $0.path].components.seconds)") }
    }

    private static func object(_ members: [(String, String)]) -> String {
        let lines = members.map { name, value in
            "  \(quoted(name)): \(value.split(separator: "\n").joined(separator: "\n  "))"
        }
        return "{\n\(lines.joined(separator: ",\n"))\n}"
    }

    /// The defaults have nothing that needs an escape.
    private static func quoted(_ text: String) -> String { "\"\(text)\"" }
}
