import Foundation
import Testing

/// The templates of `integrations/` and the scripts that they call.
@Suite("Integrations")
struct IntegrationsTests {
    /// The script that a template for GitLab writes to a file, without the indentation.
    static func script(in template: String) -> [Substring] {
        let lines = template.split(separator: "\n", omittingEmptySubsequences: false)
        let body = lines.drop { !$0.hasSuffix("<<'END_OF_RUN_LAB'") }.dropFirst()
        return body.prefix { $0 != "      END_OF_RUN_LAB" }.map { line in
            line.hasPrefix("      ") ? line.dropFirst(6) : line
        }
    }

    /// The settings that `text` names.
    static func settings(in text: String) -> Set<Substring> {
        Set(text.matches(of: /PINHOLE_[A-Z0-9][A-Z0-9_]*/).map(\.output))
    }

    @Test("the template for GitLab has run-lab in it, line for line")
    func inlined() throws {
        let script = try #require(Repository.text(of: "integrations/ci/run-lab"))
        let template = try #require(Repository.text(of: "integrations/gitlab/pinhole.gitlab-ci.yml"))
        let lines = script.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(Self.script(in: template) == Array(lines), "copy run-lab into it, six spaces to the right")
    }

    @Test("a line that differs, and a template without the script, are seen")
    func difference() {
        let template = "      cat >f <<'END_OF_RUN_LAB'\n      one\n\n        two\n      END_OF_RUN_LAB\n"
        #expect(Self.script(in: template) == ["one", "", "  two"])
        #expect(Self.script(in: "      one\n") == [])
    }

    @Test("the action for GitHub sets every setting that run-lab reads, and no other")
    func inputs() throws {
        let script = Self.settings(in: try #require(Repository.text(of: "integrations/ci/run-lab")))
        let action = Self.settings(in: try #require(Repository.text(of: "integrations/github/action.yml")))
        #expect(script.count == 13)
        #expect(script == action)
        #expect(Self.settings(in: "${1#PINHOLE_} $PINHOLE_SHA256") == ["PINHOLE_SHA256"])
    }

    @Test(
        "the scripts that templates call can be run",
        arguments: ["integrations/ci/run-lab", "integrations/pre-commit/check-pins"]
    )
    func executable(path: String) {
        let file = Repository.root.appendingPathComponent(path).path
        #expect(FileManager.default.isExecutableFile(atPath: file))
    }

    @Test("the hook of pre-commit calls its script, for the files that apps ship")
    func hook() throws {
        let manifest = try #require(Repository.text(of: ".pre-commit-hooks.yaml"))
        #expect(manifest.contains("\n  entry: integrations/pre-commit/check-pins\n"))
        let line = try #require(manifest.split(separator: "\n").first { $0.hasPrefix("  files: ") })
        let pattern = try Regex(String(line.dropFirst("  files: ".count)))
        for path in [
            "app/src/main/res/xml/network_security_config.xml", "network_security_config_debug.xml",
            "Info.plist", "ios/App/App-Info.plist", "ios/TrustKit.plist",
        ] {
            #expect(path.contains(pattern), "\(path)")
        }
        for path in ["app/src/main/AndroidManifest.xml", "Info.plist.in", "ios/Entitlements.plist"] {
            #expect(!path.contains(pattern), "\(path)")
        }
    }
}
