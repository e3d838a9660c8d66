Feature: Feature gates needed in several components

  Rule: Device taints

    @case:noschedule-gate
    @DRA/feature-gate/taints-components @profile:kep @profile:from-1.34-to-1.36
    Scenario Outline: A NoSchedule taint needs DRADeviceTaints in the API server and the scheduler
      Given the feature gate "DRADeviceTaints" is <state> in <components>
      And a claim "c" requesting 1 device
      When the driver publishes the device
        | device | taints            |
        | gpu-0  | broken:NoSchedule |
      And a pod "p" that uses claim "c" is created
      And the cluster settles
      Then pod "p" <outcome>

      Examples:
        | state | components                                               | outcome    |
        | on    | the API server, the scheduler and the controller manager | is pending |
        | off   | the API server                                           | runs       |
        | off   | the scheduler                                            | runs       |

    @case:noexecute-gate
    @DRA/feature-gate/taints-components @profile:kep @profile:from-1.34-to-1.36
    Scenario Outline: A NoExecute taint needs DRADeviceTaints in the API server and the controller manager
      Given the feature gate "DRADeviceTaints" is off in <component>
      And the device
        | device |
        | gpu-0  |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the cluster settles
      And the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then pod "p" runs
      And claim "c" keeps its allocation

      Examples:
        | component              |
        | the API server         |
        | the controller manager |
