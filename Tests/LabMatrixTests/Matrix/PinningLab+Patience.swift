import PinholeLab
import PinholeTestKit

extension PinningLab.Options {
    /// Lets no deadline pass: with hundreds of tests side by side a cell may wait for a minute.
    static var patient: PinningLab.Options {
        var options = PinningLab.Options()
        options.patience = Patience.limit
        return options
    }

    /// The same, and each server is met once by clients that behave alike: for tests of policies.
    static var inMemory: PinningLab.Options {
        var options = patient
        options.judgesInMemory = true
        return options
    }
}
