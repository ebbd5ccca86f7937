import PinholeFiles
import PinholeModel
import PinholeTrust
import Testing

@testable import PinholePolicies

/// Code of Go and Node that reaches a setting by a pointer, by its name as a text, or by a name that is put together.
@Suite("Settings of Go and Node by other ways")
struct GoNodeTests {
    /// The result of a check.
    enum Verdict: Equatable {
        case open
        case unproven
        case right
    }

    private func verdict(_ text: String, _ name: String) -> Verdict {
        var options = PolicyFile.Options()
        options.name = name
        let (file, read) = PolicyFile.examine(Array(text.utf8), options: options, files: .memory([:]))
        let lint = PolicyLint(time: Timestamp(seconds: 1_795_000_000))
        let findings = read + (file?.policies.flatMap { lint.findings(for: $0) } ?? [])
        if findings.contains(where: { $0.code == .acceptsEverything && $0.severity == .error }) {
            return .open
        }
        return findings.contains { $0.severity == .unproven } ? .unproven : .right
    }

    @Test(
        "a setting of Go is judged by its pointer and its name, too",
        arguments: [
            ("b := &c.InsecureSkipVerify; *b = true", Verdict.unproven),
            ("set(&c.InsecureSkipVerify)", .unproven),
            ("flag.BoolVar(&c.InsecureSkipVerify, \"k\", false, \"\")", .right),
            ("if a && c.InsecureSkipVerify { log() }", .right),
            ("reflect.ValueOf(c).Elem().FieldByName(\"InsecureSkipVerify\").SetBool(true)", .open),
            ("reflect.ValueOf(c).Elem().FieldByName(\"InsecureSkipVerify\").SetBool(v)", .unproven),
            ("reflect.ValueOf(c).Elem().FieldByName(\"InsecureSkipVerify\").Set(v)", .unproven),
            ("c := tls.Config{InsecureSkipVerify: true}\n c.VerifyPeerCertificate = none", .open),
            ("c := tls.Config{InsecureSkipVerify: true}\n c.VerifyConnection = pins", .unproven),
            ("c.InsecureSkipVerify = true; c.VerifyConnection = pins", .unproven),
            ("c.InsecureSkipVerify = true; d.VerifyConnection = pins", .open),
            ("c.InsecureSkipVerify = true; c.VerifyConnection = none", .open),
            (
                "c.InsecureSkipVerify = true; c.VerifyPeerCertificate = none; c.VerifyConnection = pins",
                .unproven
            ),
        ]
    )
    func go(statement: String, expected: Verdict) {
        let functions = """
            func none(r [][]byte, v [][]*x509.Certificate) error { return nil }
            func pins(s tls.ConnectionState) error { return compare(s) }

            """
        #expect(verdict("package a\n\(functions)func f() {\n \(statement)\n}\n", "a.go") == expected)
    }

    @Test(
        "a setting of Node is judged where its name is a text or put together",
        arguments: [
            ("Object.defineProperty(o, 'rejectUnauthorized', {value: false})", Verdict.open),
            ("Object.defineProperty(o, 'rejectUnauthorized', {value: true})", .right),
            ("Reflect.set(o, 'rejectUnauthorized', false)", .open),
            ("Reflect.set(o, 'rejectUnauthorized', true)", .right),
            ("Reflect.set(o, 'rejectUnauthorized', v)", .unproven),
            ("Reflect.set(process.env, 'NODE_TLS_REJECT_UNAUTHORIZED', '0')", .open),
            ("Reflect.set(process.env, 'NODE_TLS_REJECT_UNAUTHORIZED', '1')", .right),
            ("const m = new Map([['rejectUnauthorized', false]])", .open),
            ("const o = pick(x, ['rejectUnauthorized', ca, 'cert'])", .right),
            ("const o = {['reject' + 'Unauthorized']: false}", .open),
            ("const o = {['reject' + 'Unauthorized']: true}", .right),
            ("const o = {}; o['reject' + 'Unauthorized'] = false", .open),
            ("const o = {[`reject${'Unauthorized'}`]: false}", .open),
            ("process.env['NODE_TLS_' + 'REJECT_UNAUTHORIZED'] = '0'", .open),
            ("const b = {a: 1}; const o = {rejectUnauthorized: true, ...b}", .right),
            ("const o = {rejectUnauthorized: true, ...b}", .unproven),
            ("const o = {rejectUnauthorized: true, [k]: false}", .unproven),
            ("const o = {...b, rejectUnauthorized: true, a: {...c}}", .right),
        ]
    )
    func node(text: String, expected: Verdict) { #expect(verdict(text, "a.js") == expected) }

    @Test(
        "a declaration of a type sets nothing",
        arguments: [
            ("a.d.ts", "let rejectUnauthorized: false;", Verdict.right),
            ("a.ts", "declare let rejectUnauthorized: false;", .right),
            ("a.ts", "interface A { rejectUnauthorized?: false }", .right),
            ("a.ts", "export interface A extends B { x: { rejectUnauthorized: false } }", .right),
            ("a.ts", "type A = { rejectUnauthorized: false }", .right),
            ("a.ts", "export type A = { rejectUnauthorized: false }", .right),
            ("a.ts", "const o: A = { rejectUnauthorized: false }", .open),
            ("a.ts", "type A = B\nconst o = { rejectUnauthorized: false }", .open),
            ("a.ts", "const o = { interface: { rejectUnauthorized: false } }", .open),
            ("a.ts", "const o = { type: 'x', y: { rejectUnauthorized: false } }", .open),
        ]
    )
    func types(name: String, text: String, expected: Verdict) { #expect(verdict(text, name) == expected) }

    @Test(
        "many settings in one file are read in proportion to their number",
        arguments: [
            ("a.go", "var c = tls.Config{InsecureSkipVerify: x, VerifyPeerCertificate: f}\n", 300),
            ("a.js", "x = {rejectUnauthorized: true, ", 900),
            ("a.js", "rejectUnauthorized = a;\na = b;\n", 900),
            ("a.js", "checkServerIdentity: () => {", 900),
            ("a.js", "const o = {rejectUnauthorized: true, ...b}\n", 300),
            ("a.cs", "a = b\nServerCertificateCustomValidationCallback = c\n", 900),
            ("a.php", "sslverify = true\n", 900), ("a.rs", "danger_accept_invalid_certs(a)\n", 900),
        ]
    )
    func many(name: String, text: String, count: Int) {
        #expect(verdict(String(repeating: text, count: count), name) != .open)
    }
}
