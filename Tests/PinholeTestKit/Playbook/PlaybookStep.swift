package import Testing

extension Playbook where Machine: ~Copyable {
    /// One step of a script; it knows the line that it stands on.
    package struct Step {
        enum Kind {
            case feed(Machine.Event)
            case advance(Duration)
            case expect(Machine.Command)
            case expectWhere(String, (Machine.Command) -> Bool)
        }

        let kind: Kind
        let sourceLocation: SourceLocation

        /// Feeds `event` to the machine, at the playbook's time.
        package static func feed(
            _ event: Machine.Event,
            sourceLocation: SourceLocation = #_sourceLocation
        ) -> Step {
            Step(kind: .feed(event), sourceLocation: sourceLocation)
        }

        /// Moves the playbook's time forward; nothing is fed.
        package static func advance(
            by duration: Duration,
            sourceLocation: SourceLocation = #_sourceLocation
        ) -> Step {
            Step(kind: .advance(duration), sourceLocation: sourceLocation)
        }

        /// Expects `command` to be the next one.
        package static func expect(
            _ command: Machine.Command,
            sourceLocation: SourceLocation = #_sourceLocation
        ) -> Step {
            Step(kind: .expect(command), sourceLocation: sourceLocation)
        }

        /// Expects the next command to be one of which `isMeant` says that it is meant.
        ///
        /// - Parameters:
        ///   - description: What is expected, for the transcript.
        ///   - sourceLocation: Where the step stands.
        ///   - isMeant: Judges the command; it may keep what it finds in it for later steps.
        /// - Returns: The step.
        package static func expect(
            where description: String,
            sourceLocation: SourceLocation = #_sourceLocation,
            _ isMeant: @escaping (Machine.Command) -> Bool
        ) -> Step {
            Step(kind: .expectWhere(description, isMeant), sourceLocation: sourceLocation)
        }
    }
}
