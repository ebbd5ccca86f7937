import PinholeLab
import PinholeLock
import PinholeModel

/// The certificates of the class: the same for all of its experiments, so that pins stay the same.
final class ClassroomWorld: Sendable {
    private let known = Lock<LabWorld?>(nil)

    /// The certificates, made when they are asked for first.
    func world() throws -> LabWorld {
        if let world = known.withLock({ $0 }) { return world }
        let new = try LabWorld()
        return known.withLock { known in
            known = known ?? new
            return known ?? new
        }
    }
}

/// The classroom.
extension ConsoleCall {
    /// Makes an experiment.
    func classroom() async throws -> ConsoleAnswer {
        let switches = try ClassroomSwitches(try object())
        do {
            return .json(try await ClassroomLesson.make(switches, in: api.classroom.world()))
        } catch let failure as LabFailure {
            throw Problem(500, "the experiment could not be made", failure.description)
        }
    }
}
