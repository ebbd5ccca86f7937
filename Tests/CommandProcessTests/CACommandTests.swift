import Foundation
import PinholeTestKit
import Testing

@Suite("pinhole ca")
struct CACommandTests {
    @Test("init makes a CA once, with a key for its owner alone")
    func initialise() async throws {
        let binary = try PinholeBinary()
        let first = try await binary.run("ca", "init")
        #expect(first.isSuccess && first.text == "ca/rootCA.pem\n", "\(first)")
        let attributes = try FileManager.default.attributesOfItem(
            atPath: binary.directory.file("ca/rootCA-key.pem")
        )
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let second = try await binary.run("ca", "init")
        #expect(second.exit == .code(3) && second.errorText.contains("exists already"), "\(second)")
    }

    @Test("each installation gets a different key")
    func uniqueness() async throws {
        let binary = try PinholeBinary()
        var pins: Set<String> = []
        for directory in ["one", "two"] {
            _ = try await binary.run("ca", "init", "--ca-dir", directory)
            let shown = try await binary.run("ca", "show", "--json", "--ca-dir", directory)
            let object = try JSONSerialization.jsonObject(with: Data(shown.output)) as? [String: Any]
            pins.insert(try #require(object?["pin"] as? String))
        }
        #expect(pins.count == 2)
    }

    @Test("show prints names, dates and the pin; --json prints one object")
    func show() async throws {
        let binary = try PinholeBinary()
        #expect(try await binary.run("ca", "show").exit == .code(3))
        _ = try await binary.run("ca", "init", "--key", "rsa3072")
        let text = try await binary.run("ca", "show")
        #expect(text.isSuccess && text.text.contains("RSA 3072") && text.text.contains("sha256/"), "\(text)")
        let json = try await binary.run("ca", "show", "--json")
        let object = try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any]
        #expect((object?["pin"] as? String)?.hasPrefix("sha256/") == true)
        #expect(json.errorText.isEmpty)
    }

    @Test("init of a limited CA describes the limits of its key")
    func limited() async throws {
        let binary = try PinholeBinary()
        let result = try await binary.run("ca", "init", "--permit", "shop.test", "--permit", "10.0.0.0/8")
        #expect(result.isSuccess, "\(result)")
        #expect(result.errorText.contains("can impersonate shop.test, 10.0.0.0/8"), "\(result)")
        #expect(result.errorText.contains("programs that do not check name constraints"), "\(result)")
        let whole = try await binary.run("ca", "init", "--ca-dir", "whole")
        let reach = "can impersonate every site to programs that trust this CA"
        #expect(whole.errorText.contains(reach), "\(whole)")
    }

    @Test("export writes every form, and never the key")
    func export() async throws {
        let binary = try PinholeBinary()
        _ = try await binary.run("ca", "init")
        for format in ["pem", "der", "p12", "android"] {
            let result = try await binary.run("ca", "export", "--format", format)
            #expect(
                result.isSuccess && !result.output.isEmpty && !result.text.contains("PRIVATE"),
                "\(format)"
            )
        }
        let result = try await binary.run("ca", "export", "--format", "android", "--output", ".")
        let name = try #require(result.errorText.split(separator: "/").last?.dropLast())
        #expect(name.hasSuffix(".0") && name.count == 10, "\(result)")
        #expect(try binary.directory.read(String(name)).starts(with: "-----BEGIN CERTIFICATE".utf8))
    }

    @Test("path prints an absolute path, and exits with 1 without a CA")
    func path() async throws {
        let binary = try PinholeBinary()
        #expect(try await binary.run("ca", "path").exit == .code(1))
        _ = try await binary.run("ca", "init", "--ca-dir", "elsewhere")
        let result = try await binary.run("ca", "path", "--ca-dir", "elsewhere")
        #expect(result.text.hasPrefix("/") && result.text.hasSuffix("/elsewhere/rootCA.pem\n"), "\(result)")
    }

    @Test("uninstall removes after --yes only")
    func uninstall() async throws {
        let binary = try PinholeBinary()
        #expect(try await binary.run("ca", "uninstall", "--yes").exit == .code(1))
        _ = try await binary.run("ca", "init")
        let asked = try await binary.run("ca", "uninstall")
        #expect(asked.exit == .code(1) && asked.text.contains("would remove ca/rootCA-key.pem"), "\(asked)")
        let done = try await binary.run("ca", "uninstall", "--yes")
        #expect(done.isSuccess && done.text.contains("removed ca/rootCA-key.pem"), "\(done)")
        #expect(try await binary.run("ca", "path").exit == .code(1))
    }

    @Test("garbage, a readable key and another key are refused with a remedy")
    func unsafeFiles() async throws {
        let binary = try PinholeBinary()
        _ = try await binary.run("ca", "init")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644],
            ofItemAtPath: binary.directory.file("ca/rootCA-key.pem")
        )
        let lax = try await binary.run("proxy", "--listen", "127.0.0.1:0", "--capture", "none")
        #expect(
            lax.exit == .code(3) && lax.errorText.contains("to fix it: chmod 600 ca/rootCA-key.pem"),
            "\(lax)"
        )
        try FileManager.default.removeItem(atPath: binary.directory.file("ca"))
        _ = try await binary.run("ca", "init")
        try binary.directory.write("garbage", to: "ca/rootCA.pem")
        let garbage = try await binary.run("proxy", "--listen", "127.0.0.1:0", "--capture", "none")
        #expect(
            garbage.exit == .code(3) && garbage.errorText.contains("expected a certificate in PEM"),
            "\(garbage)"
        )
    }
}
