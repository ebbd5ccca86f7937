import PinholeCrypto
import PinholeFiles
import PinholeLab
import PinholeModel
import PinholeStore
import PinholeTrust

/// The tasks that facts decide: recorded handshakes, a policy, a plan and a client.
extension ClassCheck {
    /// Returns the results of the tasks that facts decide, by task.
    func facts(
        _ lesson: Int,
        _ entry: ClassRecord.Lesson,
        until isOver: @escaping @Sendable () -> Bool
    ) async throws(ClassFailure) -> [String: Result] {
        let results: [Result]
        do {
            results = try await ClassUnits.unit(lesson)?.facts(self, entry, until: isOver) ?? []
        } catch let failure as ClassFailure {
            throw failure
        } catch {
            throw ClassFailure("lesson \(lesson) cannot be checked: \(error)")
        }
        return Dictionary(uniqueKeysWithValues: results.map { ($0.task, $0) })
    }

    static func result(_ task: String, _ isPassed: Bool, _ message: String) -> Result {
        Result(task: task, state: isPassed ? .passed : .wrong, message: isPassed ? "" : message)
    }

    // MARK: Lesson 3

    func interception(after since: Int64) throws -> [Result] {
        let reader = try CaptureReader(path: folder.capture)
        let bank = names.bank.description
        var flows = FlowFilter()
        flows.after = FlowID(rawValue: since)
        let refused = try reader.flows(flows, limit: 1000).contains { flow in
            flow.authority?.hasPrefix("\(bank):") == true
                && flow.clientHandshake?.failure?.alert?.name == "unknown_ca"
        }
        var exchanges = ExchangeFilter()
        exchanges.after = ExchangeID(rawValue: since)
        let isRead = try reader.exchanges(exchanges, limit: 1000).contains { exchange in
            exchange.authority.host == names.bank && exchange.path == "/login" && exchange.method == "POST"
                && exchange.scheme == .https
        }
        return [
            Result(
                task: "refused",
                state: refused ? .passed : .open,
                message: refused
                    ? ""
                    : say(
                        "the capture has no handshake with \(bank) that the app refused",
                        "die Aufzeichnung hat keinen Handshake mit \(bank), den die App abgelehnt hat",
                        command: "pinhole class client",
                        inPage: ("let the app log in", "lass die App sich anmelden")
                    )
            ),
            Result(
                task: "read",
                state: isRead ? .passed : .open,
                message: isRead
                    ? ""
                    : say(
                        "the capture has no login at \(bank)",
                        "die Aufzeichnung hat keine Anmeldung bei \(bank)",
                        command: "pinhole class client --trust ca/rootCA.pem",
                        inPage: (
                            "install the CA of the proxy, and let the app log in",
                            "installiere die CA des Proxys und lass die App sich anmelden"
                        )
                    )
            ),
        ]
    }

    // MARK: Lesson 5

    /// The events of lesson 5: the chain that the app meets, and whether it has to accept it.
    private func events(_ world: ClassWorld) -> [(task: String, chain: Identity, isAccepted: Bool)] {
        [
            ("honest", world.bank, true), ("gateway", world.gateway, false),
            ("misissued", world.misissued, false), ("insider", world.insider, false),
            ("renewed", world.renewed, true), ("backup", world.backup, true),
        ]
    }

    func policy(until isOver: @escaping @Sendable () -> Bool) throws -> [Result] {
        let world = try world()
        let policy: any TrustPolicy
        do {
            policy = try studentPolicy(5, "policy.json")
        } catch {
            return unusable("lesson-5/policy.json", events(world).map(\.task), error)
        }
        let evaluator = MeteredEvaluator(ChainVerifier(), until: isOver)
        let judged = events(world).map { event in
            let rejection = rejection(
                policy,
                event.chain,
                at: names.bank,
                trusting: world.deviceRoots,
                with: evaluator
            )
            return (event: event, rejection: rejection)
        }
        let isOpen = judged.contains { !$0.event.isAccepted && $0.rejection == nil }
        return judged.map { event, rejection in
            guard event.isAccepted else {
                let fault = say("the policy accepts it", "die Regel nimmt es an")
                return Self.result(event.task, rejection != nil, fault)
            }
            let reason = rejection ?? ""
            let fault = say("the policy refuses it: \(reason)", "die Regel lehnt es ab: \(reason)")
            return result(event.task, rejection == nil, whileOpen: isOpen, fault)
        }
    }

    // MARK: Lesson 6

    func plan() throws -> [Result] {
        let task = try RotationTask(names)
        guard let text = File.text(of: folder.file("lesson-6/plan.json")) else {
            let message = say(
                "there is no lesson-6/plan.json: pinhole class reset 6",
                "es gibt keine Datei lesson-6/plan.json: pinhole class reset 6"
            )
            return ["safe", "protected"].map { Result(task: $0, state: .wrong, message: message) }
        }
        let files = task.policies.keys.map { name in
            (name, File.text(of: folder.file("lesson-6/\(name)")) ?? "")
        }
        let found = Dictionary(uniqueKeysWithValues: files)
        let rotation: Rotation
        do throws(PolicyFailure) {
            rotation = try task.rotation(text, found)
        } catch {
            return unusable("lesson-6/plan.json", ["safe", "protected"], error)
        }
        let isKept = found == task.policies && task.differsInDayAlone(text)
        let share = (rotation.most * 1000).rounded() / 10
        return [
            Self.result(
                "safe",
                rotation.isSafe,
                say(
                    "up to \(share) % of the users are locked out",
                    "bis zu \("\(share)".replacing(".", with: ",")) % werden ausgesperrt",
                    command: "pinhole pins rotate --plan lesson-6/plan.json",
                    inPage: ("move the day of the new key", "verschiebe den Tag des neuen Schlüssels")
                )
            ),
            result(
                "protected",
                isKept,
                whileOpen: !rotation.isSafe,
                of: .plan,
                say(
                    "more than the day of the new key was changed; pinhole class reset 6 brings the first plan back",
                    "mehr als der Tag des neuen Schlüssels ist geändert; pinhole class reset 6 holt den ersten Plan zurück"
                )
            ),
        ]
    }

    // MARK: Lesson 7

    /// The words with which a program in Python runs others, or hides which names it uses.
    private static let runners: Set<Substring> = [
        "subprocess", "popen", "pty", "ctypes", "pexpect", "importlib", "__import__", "eval", "exec", "execl",
        "execlp",
        "execv", "execve", "execvp", "posix_spawn", "posix_spawnp", "spawnl", "spawnlp", "spawnv", "spawnvp",
        "create_subprocess_exec", "create_subprocess_shell", "curl", "pycurl", "wget",
    ]

    /// Returns the word with which a client runs another program; `nil` if there is none outside of comments.
    private static func delegation(in text: String) -> String? {
        let lines = text.lowercased().split(whereSeparator: \.isNewline).filter { line in
            line.first { !$0.isWhitespace } != "#"
        }
        let words = lines.lazy.flatMap { line in line.split { !($0.isLetter || $0.isNumber || $0 == "_") } }
        if let word = words.first(where: runners.contains) { return String(word) }
        return lines.contains { $0.contains("os.system") } ? "os.system" : nil
    }

    private static let clientTasks = ["works", "own", "untrusted", "names", "downgrade"]

    func client() async throws -> [Result] {
        let name = "lesson-7/client.py"
        let original = clientFile ?? folder.file(name)
        guard clientFile != nil || File.exists(at: original) else {
            let message = say(
                "there is no \(name): pinhole class reset 7",
                "es gibt keine Datei \(name): pinhole class reset 7"
            )
            return Self.clientTasks.map { Result(task: $0, state: .wrong, message: message) }
        }
        guard let subject else {
            let message = say(
                "this check runs your client on the teacher's machine: ask your teacher to make it",
                "diese Prüfung führt deinen Client auf dem Rechner der Lehrkraft aus: bitte sie darum"
            )
            return Self.clientTasks.map { Result(task: $0, state: .open, message: message) }
        }
        let copy = try ClientCopy(of: original)
        let text = String(decoding: copy.content, as: UTF8.self)
        if let other = Self.delegation(in: text) {
            let message = say(
                "the client hands its work to another program (\(other)); its own checks are the task",
                "der Client gibt seine Arbeit an ein anderes Programm weiter (\(other)); seine eigenen Prüfungen sind die Aufgabe"
            )
            return Self.clientTasks.map { Result(task: $0, state: .wrong, message: message) }
        }
        let program = subject(["python3", copy.path, "{url}"])
        let run = AuditRun("client.py", "the client of lesson 7", program, in: try LabWorld())
        let honest = try await run.observation(of: .control)
        var results: [Result] = []
        let attacks = [("untrusted", "A01"), ("names", "A05"), ("downgrade", "B12")]
        for (task, id) in attacks {
            guard let scenario = Scenario.auditable(naming: [id]).first(where: { $0.id == id }) else {
                continue
            }
            guard honest.decision == .accepted else {
                results.append(
                    Result(
                        task: task,
                        state: .open,
                        message: say(
                            "a client that refuses the honest server proves nothing",
                            "ein Client, der den ehrlichen Server ablehnt, beweist nichts"
                        )
                    )
                )
                continue
            }
            let met = try await run.observation(of: scenario)
            guard met.decision != .undecided else {
                results.append(
                    Result(
                        task: task,
                        state: .wrong,
                        message: quoting(
                            say(
                                "the client did not meet the attack",
                                "der Client ist dem Angriff nicht begegnet"
                            ),
                            met.summary
                        )
                    )
                )
                continue
            }
            results.append(
                Self.result(
                    task,
                    met.decision == .rejected,
                    quoting(say("the client went along", "der Client hat mitgemacht"), met.summary)
                )
            )
        }
        let isOpen = !results.contains { $0.state == .passed }
        results += [
            result(
                "works",
                honest.decision == .accepted,
                whileOpen: isOpen,
                of: .client,
                quoting(
                    say(
                        "the client does not fetch the page of the honest server",
                        "der Client holt die Seite des ehrlichen Servers nicht"
                    ),
                    honest.summary
                )
            ),
            result(
                "own",
                text.contains("STUDENT = \"\(names.mark)\""),
                whileOpen: isOpen,
                of: .client,
                say(
                    "the line STUDENT is not the one of your world: begin with your own client (pinhole class reset 7)",
                    "die Zeile STUDENT ist nicht die deiner Welt: beginne mit deinem Client (pinhole class reset 7)"
                )
            ),
        ]
        return withExtendedLifetime(copy) { results }
    }
}
