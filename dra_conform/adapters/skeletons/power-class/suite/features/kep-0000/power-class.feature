Feature: The power class of devices
  A request with powerClass is allocated only devices with the same powerClass.

  Rule: One request

    Background:
      Given the devices
        | device | powerClass |
        | gpu-1  | low        |
        | gpu-2  | high       |
        | gpu-3  |            |

    @case:matching-device
    @KEP-0000/power-class/matches
    Scenario Outline: A request is allocated the device with its powerClass
      Given a ResourceClaim "c" with the request
        | powerClass |
        | <value>    |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" runs on device "<device>" of its power class

      Examples:
        | value | device |
        | low   | gpu-1  |
        | high  | gpu-2  |

    @case:too-few-devices
    @KEP-0000/power-class/matches
    Scenario Outline: A request fails if too few devices have its powerClass
      Given a ResourceClaim "c" with the request
        | powerClass | count |
        | <value>    | 2     |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

      Examples:
        | value |
        | low   |
        | high  |

    @case:unset
    @KEP-0000/power-class/unset
    Scenario: A request without powerClass is allocated devices with any powerClass
      Given a ResourceClaim "c" requesting 3 devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated 3 devices

    @case:recorded
    @KEP-0000/power-class/recorded
    Scenario: The result of a request records the powerClass of its device
      Given a ResourceClaim "c" with the request
        | powerClass |
        | high       |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device | powerClass |
        | gpu-2  | high       |

    @case:gate-off
    @KEP-0000/power-class/gate-off
    Scenario: A request is allocated devices of any powerClass while the feature gate is off
      Given the feature gate "DRADevicePowerClass" is off
      And a ResourceClaim "c" with the request
        | powerClass | count |
        | low        | 3     |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated 3 devices

  Rule: An own step sets the powerClass

    @case:own-step
    @KEP-0000/power-class/matches
    Scenario: A request is allocated the device whose powerClass an own step sets
      Given the devices
        | device |
        | gpu-1  |
        | gpu-2  |
      And device "gpu-2" has the power class high
      And a ResourceClaim "c" with the request
        | powerClass |
        | high       |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" runs on device "gpu-2" of its power class
