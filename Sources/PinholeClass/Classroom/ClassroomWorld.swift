import PinholeLab
import PinholeLock
import PinholeSession

/// The certificates of the classroom, which all of its experiments share, so that pins stay the same.
final class ClassroomWorld: Sendable {
    private let known = Lock<LabWorld?>(nil)

    /// Returns the certificates, and creates them at the first call.
    func world() throws -> LabWorld {
        if let world = known.withLock({ $0 }) { return world }
        let new = try LabWorld()
        return known.withLock { known in
            known = known ?? new
            return known ?? new
        }
    }

    /// Runs an experiment.
    ///
    /// - Parameters:
    ///   - switches: The positions of the switches.
    ///   - language: The language of the texts.
    /// - Returns: The lesson.
    /// - Throws: `Problem` if the experiment cannot be made.
    func lesson(
        _ switches: ClassroomSwitches,
        in language: ClassLanguage? = nil
    ) async throws -> ClassroomLesson {
        do {
            return try await ClassroomLesson.make(switches, in: world(), language ?? .english)
        } catch let failure as LabFailure {
            throw Problem(500, "the experiment could not be made", failure.description)
        }
    }
}
