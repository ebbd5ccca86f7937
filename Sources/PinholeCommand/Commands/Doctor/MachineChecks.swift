import Glibc
import PinholeCrypto
import PinholeFiles
import PinholeModel
import PinholeProxy
import PinholeRuntime
import PinholeSession
import PinholeStore

/// The checks of the doctor on this machine.
struct MachineChecks {
    let configuration: Configuration
    var environment = ProcessEnvironment.variables
    var now = LoopClock().now()

    /// Checks the CA's files, their modes, whether they belong together, and the remaining time of validity.
    func authority() -> [DoctorFinding] {
        let directory = AuthorityDirectory(path: configuration.authority.directory)
        guard !directory.removablePaths.isEmpty else {
            let detail = "there is none in \(directory.path) yet; the first use makes it"
            return [DoctorFinding("CA", .note, detail, remedy: "pinhole ca init")]
        }
        do throws(AuthorityFailure) {
            let authority = try directory.load(now: now)
            let detail = "\(directory.certificatePath), valid until \(authority.notAfter.iso8601)"
            guard let warning = authority.expiryWarning(now: now) else {
                return [DoctorFinding("CA", .right, detail)]
            }
            return [DoctorFinding("CA", .wrong, warning)]
        } catch {
            return [DoctorFinding("CA", .wrong, error.problem, remedy: error.remedy)]
        }
    }

    /// Checks whether the proxy could listen on its addresses.
    func ports() -> [DoctorFinding] {
        configuration.proxy.listen.map { point in
            let address = point.address
            if point.isOpen(by: configuration.proxy) {
                return DoctorFinding(
                    "port",
                    .wrong,
                    "\(address) can be reached from other machines, and nothing limits who may use the proxy",
                    remedy: point.mode.isProxy
                        ? "set proxy.credentials, proxy.users or proxy.clients, or listen on 127.0.0.1"
                        : "set proxy.clients, or listen on 127.0.0.1"
                )
            }
            do throws(SystemFailure) {
                try address.checkIsFree()
                return DoctorFinding("port", .right, "\(address) is free\(point.mode.purpose)")
            } catch {
                let remedy =
                    "a running pinhole is not a fault; otherwise choose another port with --listen or in proxy.listen"
                return DoctorFinding(
                    "port",
                    error.code == EADDRINUSE ? .note : .wrong,
                    "\(error)",
                    remedy: remedy
                )
            }
        }
    }

    /// Reports the proxy variables of the environment.
    func variables() -> [DoctorFinding] {
        let names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]
        let set = names.filter { environment[$0]?.isEmpty == false }
        var findings: [DoctorFinding] = []
        if set.isEmpty {
            var remedy = "pinhole run -- CMD"
            if let address = ListeningPoint.address(of: configuration.proxy.listen), address.port != 0 {
                remedy += ", or: export https_proxy=http://\(address)"
            }
            findings.append(DoctorFinding("environment", .note, "no variable names a proxy", remedy: remedy))
        } else {
            // The value of a variable may contain a password, so it is not shown.
            findings.append(
                DoctorFinding("environment", .right, "a proxy is named by \(set.joined(separator: ", "))")
            )
        }
        for name in ["NO_PROXY", "no_proxy"] {
            guard let value = environment[name], !value.isEmpty else { continue }
            findings.append(
                DoctorFinding(
                    "environment",
                    .note,
                    "\(name) leads past the proxy for \(value)",
                    remedy: "unset \(name)"
                )
            )
        }
        return findings
    }

    /// Names what a killed `pinhole attach` left; empty if that is nothing.
    func attachments() -> [DoctorFinding] {
        AttachUndo(nft: "").remains().map { name in
            DoctorFinding(
                "attach",
                .wrong,
                "a killed pinhole attach left the table and the cgroup \(name), which redirect to a listener that has ended",
                remedy: "pinhole attach --undo"
            )
        }
    }

    /// Checks whether the clock is plausible, since certificates are judged by it.
    func clock() -> DoctorFinding {
        var program = stat()
        let isKnown = stat("/proc/self/exe", &program) == 0
        let earliest = Timestamp(seconds: Int64(program.st_mtim.tv_sec) - 86_400)
        guard isKnown, now < earliest else { return DoctorFinding("clock", .right, now.iso8601) }
        return DoctorFinding(
            "clock",
            .wrong,
            "\(now.iso8601) is before this program was built, so every certificate looks not yet valid",
            remedy: "sudo timedatectl set-ntp true"
        )
    }

    /// Names the TLS library, and notes what an old one lacks.
    func library() -> DoctorFinding {
        if TLSLibrary.isPostQuantum { return DoctorFinding("TLS library", .right, TLSLibrary.version) }
        return DoctorFinding(
            "TLS library",
            .note,
            "\(TLSLibrary.version) offers no post-quantum key exchange, so clients that offer one get a weaker one",
            remedy: "OpenSSL 3.5 (Debian 13 or the container), no Groups in openssl.cnf"
        )
    }

    /// Checks whether the capture can be read, and whether the disk has room for more.
    func capture() -> DoctorFinding {
        guard let file = configuration.capture.file else {
            return DoctorFinding("capture", .note, "none is recorded")
        }
        guard File.exists(at: file) else {
            return roomForCapture(file, "\(file) is not there yet")
        }
        do throws(CaptureFailure) {
            let statistics = try CaptureReader(path: file).statistics()
            let counts = "\(statistics.exchanges) exchanges, \(statistics.failedFlows) failed flows"
            return roomForCapture(file, "\(file), \(counts), \(Plain.size(statistics.fileBytes))")
        } catch {
            return DoctorFinding("capture", .wrong, "\(error)")
        }
    }

    private func roomForCapture(_ file: String, _ detail: String) -> DoctorFinding {
        var folder = FilePath.folder(of: FilePath.absolute(file))
        // The first recording creates the state directory.
        if let state = try? Places().stateDirectory(), folder == state {
            while !File.exists(at: folder), folder != "/" {
                folder = FilePath.folder(of: folder)
            }
        }
        var facts = statvfs()
        guard statvfs(folder, &facts) == 0 else {
            return DoctorFinding(
                "capture",
                .wrong,
                "the folder \(folder) cannot be used",
                remedy: "mkdir -p \(folder)"
            )
        }
        let free = Int64(clamping: facts.f_bavail).multipliedClamped(by: Int64(clamping: facts.f_frsize))
        // Downloads fill less space than this within minutes.
        guard free >= 200_000_000 else {
            return DoctorFinding(
                "capture",
                .wrong,
                "\(detail); only \(Plain.size(free)) are free",
                remedy: "make room, or set capture.maxSizeMB"
            )
        }
        return DoctorFinding("capture", .right, "\(detail); \(Plain.size(free)) are free")
    }
}
