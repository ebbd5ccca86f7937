import Foundation
import PinholeCrypto
import PinholeLock
import PinholeModel
import PinholeTestKit
import Testing

@Suite("AuthorityDirectory")
struct AuthorityDirectoryTests {
    private let temporary: TemporaryDirectory
    private let directory: AuthorityDirectory
    private let options = CertificateAuthority.Options(machineName: "test")

    init() throws {
        temporary = try TemporaryDirectory()
        directory = AuthorityDirectory(path: "\(temporary.path)/sub/ca/")
    }

    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private func setMode(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func replace(_ path: String, with text: String, mode: Int = 0o600) throws {
        _ = try temporary.write(text, to: String(path.dropFirst(temporary.path.count + 1)), mode: mode)
    }

    private func expectRefusal(_ words: String, remedy: String?, now: Timestamp = .noon) {
        for attempt in [
            { try directory.load(now: now) }, { try directory.loadOrCreate(options, now: now).authority },
        ] {
            let failure = #expect(throws: AuthorityFailure.self) { try attempt() }
            #expect(failure?.problem.contains(words) == true, "\(failure?.description ?? "")")
            #expect(failure?.remedy == remedy)
        }
    }

    @Test("is made at the first use, with strict modes, and read at the next")
    func firstUse() throws {
        #expect(directory.path == "\(temporary.path)/sub/ca")
        let made = try directory.loadOrCreate(options, now: .noon)
        #expect(made.isNew)
        #expect(try mode(directory.path) == 0o700)
        #expect(try mode(directory.keyPath) == 0o600)
        #expect(try mode(directory.certificatePath) == 0o644)
        let read = try directory.loadOrCreate(options, now: .noon)
        #expect(!read.isNew)
        #expect(read.authority.identity.chain == made.authority.identity.chain)
        #expect(try directory.load(now: .noon).root == made.authority.root)
        #expect(try directory.certificates() == made.authority.identity.chain)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        #expect(names == [".gitignore", "rootCA-key.pem", "rootCA.pem"])
    }

    @Test("keeps the root first in the file of a constrained authority")
    func constrained() throws {
        var options = options
        options.permittedDomains = ["example.com"]
        let made = try directory.create(options, now: .noon)
        #expect(try directory.certificates() == [made.root, made.certificate])
        #expect(try directory.load(now: .noon).identity.chain == made.identity.chain)
    }

    @Test("does not make a second one")
    func exists() throws {
        _ = try directory.create(options, now: .noon)
        let failure = #expect(throws: AuthorityFailure.self) { try directory.create(options, now: .noon) }
        #expect(failure?.problem == "\(directory.keyPath) exists already")
        #expect(failure?.remedy == "pinhole ca uninstall")
    }

    @Test("hides only its own files from git in a directory with other files")
    func gitignore() throws {
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
        try setMode(0o700, directory.path)
        try replace("\(directory.path)/mine.pem", with: "mine")
        _ = try directory.create(options, now: .noon)
        let text = try String(contentsOfFile: "\(directory.path)/.gitignore", encoding: .utf8)
        #expect(text.hasPrefix("/.gitignore\n/rootCA-key.pem\n/rootCA.pem\n") && !text.contains("*"))
        _ = try directory.uninstall()
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["mine.pem"])
    }

    @Test("names the files for clients among the files that it would remove")
    func companions() throws {
        _ = try directory.create(options, now: .noon)
        let store = "\(directory.path)/\(AuthorityDirectory.storeName)"
        try replace(store, with: "store")
        #expect(directory.removablePaths == [directory.keyPath, directory.certificatePath, store])
        #expect(try directory.uninstall().contains(store))
    }

    @Test("reports that there is none")
    func missing() throws {
        let failure = #expect(throws: AuthorityFailure.self) { try directory.load(now: .noon) }
        #expect(failure?.description == "there is no CA in \(directory.path); to fix it: pinhole ca init")
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
        #expect(throws: try #require(failure)) { try directory.load(now: .noon) }
        #expect(throws: try #require(failure)) { try directory.certificates() }
    }

    @Test("is made once by many threads that race", arguments: 0..<20)
    func raceOfThreads(round: Int) async throws {
        let directory = directory
        let options = options
        let results = Lock<[(Certificate, Bool)]>([])
        let failures = Lock<[AuthorityFailure]>([])
        await atOnce(24, width: 8) { index in
            do throws(AuthorityFailure) {
                // Readers see all of it or nothing.
                if index % 3 == 2 {
                    _ = try directory.load(now: .noon)
                } else {
                    let made = try directory.loadOrCreate(options, now: .noon)
                    results.withLock { $0.append((made.authority.root, made.isNew)) }
                }
            } catch {
                failures.withLock { $0.append(error) }
            }
        }
        let all = results.withLock { $0 }
        #expect(all.count == 16)
        #expect(Set(all.map(\.0)).count == 1)
        #expect(all.count(where: \.1) == 1)
        #expect(failures.withLock { $0 }.allSatisfy { $0.remedy == "pinhole ca init" })
    }

    @Test("is made once by many processes that race")
    func raceOfProcesses() async throws {
        let path = directory.path
        await withTaskGroup { group in
            for index in 0..<6 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [path = path as String, index = index as Int] in
                        let made = try AuthorityDirectory(path: path).loadOrCreate(
                            .init(machineName: "process \(index)"),
                            now: .noon
                        )
                        let note = URL(fileURLWithPath: "\(path)-\(index)")
                        try Data(made.authority.root.pem.utf8).write(to: note)
                    }
                }
            }
        }
        let root = try directory.load(now: .noon).root
        for index in 0..<6 {
            #expect(try bytesOfFile("\(path)-\(index)") == Array(root.pem.utf8))
        }
    }

    @Test("refuses a key that others can read", arguments: [0o640, 0o604, 0o660, 0o644, 0o620])
    func laxKey(lax: Int) throws {
        _ = try directory.create(options, now: .noon)
        try setMode(lax, directory.keyPath)
        expectRefusal(
            "has the mode 0\(String(lax, radix: 8)), so others",
            remedy: "chmod 600 \(directory.keyPath)"
        )
        try setMode(0o400, directory.keyPath)
        #expect(throws: Never.self) { try directory.load(now: .noon) }
    }

    @Test("refuses a directory that others can enter", arguments: [0o755, 0o750, 0o701, 0o777])
    func laxDirectory(lax: Int) throws {
        _ = try directory.create(options, now: .noon)
        try setMode(lax, directory.path)
        expectRefusal("expected 0700", remedy: "chmod 700 \(directory.path)")
    }

    @Test("closes the directory of a checkout, and no directory with anything else in it")
    func checkout() throws {
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
        try setMode(0o755, directory.path)
        try replace("\(directory.path)/README.md", with: "read me")
        try replace("\(directory.path)/notes", with: "mine")
        let failure = #expect(throws: AuthorityFailure.self) { try directory.create(options, now: .noon) }
        #expect(failure?.remedy == "keep the CA in a directory of its own: --ca-dir DIR")
        #expect(try mode(directory.path) == 0o755)
        try FileManager.default.removeItem(atPath: "\(directory.path)/notes")
        _ = try directory.create(options, now: .noon)
        #expect(try mode(directory.path) == 0o700)
    }

    @Test("refuses a key that is a symbolic link")
    func symbolicLink() throws {
        _ = try directory.create(options, now: .noon)
        let target = "\(temporary.path)/elsewhere.pem"
        try FileManager.default.moveItem(atPath: directory.keyPath, toPath: target)
        try FileManager.default.createSymbolicLink(atPath: directory.keyPath, withDestinationPath: target)
        let key = directory.keyPath
        let remedy = "cp --remove-destination \"$(readlink -f \(key))\" \(key) && chmod 600 \(key)"
        expectRefusal("is a symbolic link", remedy: remedy)
        #expect(try Tool(name: "sh").run(["-c", remedy]).code == 0)
        #expect(throws: Never.self) { try directory.load(now: .noon) }
    }

    @Test("never writes through a link that waits in the directory")
    func plantedLink() throws {
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
        try setMode(0o700, directory.path)
        let target = "\(temporary.path)/target"
        try FileManager.default.createSymbolicLink(
            atPath: directory.certificatePath,
            withDestinationPath: target
        )
        #expect(throws: AuthorityFailure.self) { try directory.loadOrCreate(options, now: .noon) }
        #expect(!FileManager.default.fileExists(atPath: target))
        #expect(!FileManager.default.fileExists(atPath: directory.keyPath))
    }

    @Test("refuses one file without the other")
    func halves() throws {
        _ = try directory.create(options, now: .noon)
        let certificate = try bytesOfFile(directory.certificatePath)
        try FileManager.default.removeItem(atPath: directory.certificatePath)
        expectRefusal(
            "is there without its certificate",
            remedy: "put the certificate there, or start anew: rm \(directory.keyPath)"
        )
        try replace(directory.certificatePath, with: String(decoding: certificate, as: UTF8.self))
        try FileManager.default.removeItem(atPath: directory.keyPath)
        expectRefusal(
            "is there without its private key",
            remedy: "put the key there, or start anew: rm \(directory.certificatePath)"
        )
    }

    @Test("refuses garbage, a foreign key, a leaf and a named pipe")
    func garbage() throws {
        let made = try directory.create(options, now: .noon)
        let startAnew =
            "put a PEM file of your own there, or start anew: rm \(directory.certificatePath) \(directory.keyPath)"
        try replace(directory.certificatePath, with: "garbage")
        expectRefusal("rootCA.pem: expected a certificate in PEM", remedy: startAnew)
        try replace(directory.certificatePath, with: made.root.pem)
        try replace(directory.keyPath, with: "garbage")
        expectRefusal("rootCA-key.pem: expected a private key in PEM", remedy: startAnew)
        try replace(directory.keyPath, with: PrivateKey.generateP256().pem)
        expectRefusal(
            "the private key (P-256) belongs to none of the certificates: “CN=Pinhole",
            remedy: startAnew
        )
        let leaf = try LeafMinter(authority: made).mint(LeafRequest(names: [.name("a.example")]), now: .noon)
        try replace(directory.keyPath, with: leaf.key.pem)
        try replace(directory.certificatePath, with: leaf.certificate.pem)
        expectRefusal("“CN=a.example” is not a certificate authority", remedy: startAnew)
        try FileManager.default.removeItem(atPath: directory.keyPath)
        #expect(try Tool(name: "mkfifo").run(["-m", "600", directory.keyPath]).code == 0)
        expectRefusal("is not a regular file", remedy: nil)
    }

    @Test("refuses an authority that has expired or is of the future")
    func validity() throws {
        _ = try directory.create(options, now: .noon)
        expectRefusal("expired on 2036-11-20; remove it", remedy: nil, now: .noon + .days(3653))
        expectRefusal(
            "is valid from 2026-11-21 on, today is 2026-10-22; is the clock",
            remedy: "date --utc",
            now: .noon - .days(30)
        )
    }

    @Test("accepts a user's authority with its certificates in any order")
    func brought() throws {
        let chain = try BroughtChain(now: .noon)
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
        try setMode(0o700, directory.path)
        try replace(
            directory.certificatePath,
            with: chain.root.pem + chain.issuing.pem + chain.middle.pem,
            mode: 0o644
        )
        try replace(directory.keyPath, with: chain.issuingKey.pem)
        let authority = try directory.load(now: .noon)
        #expect(authority.identity.chain == [chain.issuing, chain.middle, chain.root])
    }

    @Test("carries the words of the system when a path cannot be used")
    func systemErrors() throws {
        let file = try temporary.write("x", to: "file")
        for directory in [AuthorityDirectory(path: "\(file)/ca"), AuthorityDirectory(path: file)] {
            let failure = #expect(throws: AuthorityFailure.self) {
                try directory.loadOrCreate(options, now: .noon)
            }
            #expect(failure?.problem.contains("\(file)") == true)
            #expect(failure?.problem.hasSuffix(": Not a directory") == true, "\(failure?.description ?? "")")
        }
    }

    @Test("quotes paths in its commands so that a shell can run them")
    func quoting() throws {
        let directory = AuthorityDirectory(path: "\(temporary.path)/it's $HOME")
        _ = try directory.create(options, now: .noon)
        try setMode(0o644, directory.keyPath)
        let failure = #expect(throws: AuthorityFailure.self) { try directory.load(now: .noon) }
        let remedy = try #require(failure?.remedy)
        #expect(try Tool(name: "sh").run(["-c", remedy]).code == 0)
        #expect(throws: Never.self) { try directory.load(now: .noon) }
    }

    @Test("uninstalls its two files, and the directory where nothing else is in it")
    func uninstall() throws {
        _ = try directory.create(options, now: .noon)
        #expect(directory.removablePaths == [directory.keyPath, directory.certificatePath])
        try replace("\(directory.path)/README.md", with: "read me")
        #expect(try directory.uninstall() == [directory.keyPath, directory.certificatePath])
        #expect(directory.removablePaths == [])
        #expect(try bytesOfFile("\(directory.path)/README.md") == Array("read me".utf8))
        try FileManager.default.removeItem(atPath: "\(directory.path)/README.md")
        #expect(try directory.uninstall() == [directory.path])
    }
}
