import CClassTexts
import PinholeTrust

/// Lesson 7: a client with three faults.
struct ClientLesson: ClassUnit {
    let number = 7
    var edited: String? { "client.py" }

    func files(_ world: ClassWorld, _ language: ClassLanguage) throws -> [(name: String, text: String)] {
        var count = 0
        let bytes = UnsafeBufferPointer(start: pinhole_client_py(&count), count: count)
        let text = String(decoding: bytes, as: UTF8.self)
        return [("client.py", text.replacing("{mark}", with: world.names.mark))]
    }

    func facts(_ check: ClassCheck, _ entry: Entry, until isOver: @escaping End) async throws -> Results {
        try await check.client()
    }

    func outcome(of trial: String, _ check: ClassCheck) async throws -> TrialOutcome {
        let world = try check.world()
        // A context without check_hostname builds the path and compares no name.
        let policy: any TrustPolicy =
            trial == "name" ? BasicX509Policy() : SystemPolicy(by: .openssl)
        let roots = trial == "root" ? [] : world.deviceRoots
        return check.meet(policy, world.clinic, at: world.names.bank, trusting: roots)
    }
}
