import Foundation
import PinholeTestKit
import Testing

@testable import PinholeCommand

@Suite("Kinds of programs")
struct ProgramKindTests {
    @Test(
        "a program is known by its name, also behind programs that run others",
        arguments: [
            (["node", "app.js"], ProgramKind.node), (["/usr/local/bin/npm", "test"], .node),
            (["java", "-jar", "a.jar"], .java), (["python3.11", "a.py"], .python),
            (["openssl", "s_client"], .openssl),
            (["sh", "-c", "cd x && (node app.js)"], .node),
            (["env", "A=b", "timeout", "5", "curl", "x"], .curl),
            (["go", "run", "a.go"], .go), (["true"], .other), ([], .other), (["no-such-program"], .other),
        ]
    )
    func names(_ command: [String], _ kind: ProgramKind) {
        #expect(ProgramKind(of: command) == kind)
    }

    @Test(
        "a program is known by the beginning or the content of its file",
        arguments: [
            ("#!/usr/bin/env node\nconsole.log(1)\n", ProgramKind.node), ("#!/usr/bin/python3 -u\n", .python),
            ("#!/bin/sh\nnode x\n", .other), ("\u{7f}ELF", .other),
        ]
    )
    func files(_ text: String, _ kind: ProgramKind) throws {
        let directory = try TemporaryDirectory()
        #expect(ProgramKind(of: [try program(Array(text.utf8), in: directory)]) == kind)
    }

    @Test("a program of Go is known by its build information", arguments: [0, 250, 256 + (1 << 20) - 5])
    func goProgram(_ place: Int) throws {
        let directory = try TemporaryDirectory()
        let padding = [UInt8](repeating: 0xff, count: place)
        let bytes = Array("\u{7f}ELF".utf8) + padding + [0xff] + Array(" Go buildinf:".utf8)
        #expect(ProgramKind(of: [try program(bytes, in: directory)]) == .go)
    }

    private func program(_ bytes: [UInt8], in directory: TemporaryDirectory) throws -> String {
        let path = try directory.write(bytes, to: "program")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }

    @Test(
        "a system that refuses namespaces is reported with a remedy",
        arguments: [
            (["kernel/unprivileged_userns_clone": "0\n"], "kernel.unprivileged_userns_clone=1"),
            (["user/max_user_namespaces": "0\n"], "user.max_user_namespaces="),
            (
                ["kernel/apparmor_restrict_unprivileged_userns": "1\n"],
                "apparmor_restrict_unprivileged_userns=0"
            ),
            (["kernel/unprivileged_userns_clone": "1\n"], "in a container"),
        ]
    )
    func refusedNamespaces(_ settings: [String: String], _ remedy: String) {
        #expect(Isolation.remedy { settings[$0] }.contains(remedy))
    }
}
