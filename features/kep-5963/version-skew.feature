Feature: Version skew between API server and scheduler
  | kube-apiserver \ kube-scheduler | old         | new, gate off   | new, gate on |
  | old                             | Pre-KEP     | Pre-KEP         | Pre-KEP      |
  | new, gate off                   | Pre-KEP     | Pre-KEP         | Pre-KEP      |
  | new, gate on                    | Driver-only | Devices skipped | Full feature |

  Pre-KEP and Driver-only: the scheduler sees no groups or does not know them, and allocates incompatible
  devices. Devices skipped: devices with groups are not allocated, other devices are scheduled normally.
  Full feature: incompatible devices are not allocated together.

  Background:
    Given the counter set
      | counterSet | counter memory |
      | gpu-0      | 80Gi           |
    And pool "pool-1" has the resourceSliceCount 2
    And the device
      | device | pool   | attribute kind |
      | plain  | pool-2 | string plain   |
    And a ResourceClaim "mig" with the request
      | request | selector                                             |
      | r0      | device.attributes["dra.example.com"].kind == "mig"   |
    And a ResourceClaim "vgpu" with the request
      | request | selector                                             |
      | r0      | device.attributes["dra.example.com"].kind == "vgpu"  |
    And a ResourceClaim "plain" with the request
      | request | selector                                             |
      | r0      | device.attributes["dra.example.com"].kind == "plain" |

  @profile:kep @profile:since-1.37
  Rule: Versions and feature gate states of API server and scheduler

    @case:incompatible-allocated-together
    Scenario Outline: Incompatible devices are allocated unless API server and scheduler have the gate on
      Given <API server>
      And <scheduler>
      When the driver publishes the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 | attribute kind |
        | mig    | memory 40Gi            | mig                       | string mig     |
        | vgpu   | memory 40Gi            | vgpu                      | string vgpu    |
      And a pod "p" that uses ResourceClaim "mig" is created
      And the cluster reaches a steady state
      And a pod "q" that uses ResourceClaim "vgpu" is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      And pod "q" is Running

      @KEP-5963/version-skew/old-apiserver-old-scheduler
      Examples:
        | cell                                    | API server                                                               | scheduler                                                               |
        | old API server, old scheduler           | the API server runs Kubernetes 1.36                                      | the scheduler runs Kubernetes 1.36                                      |

      @KEP-5963/version-skew/old-apiserver-scheduler-gate-off
      Examples:
        | cell                                    | API server                                                               | scheduler                                                               |
        | old API server, gate-off scheduler      | the API server runs Kubernetes 1.36                                      | the feature gate "DRADeviceCompatibilityGroups" is off in the scheduler |

      @KEP-5963/version-skew/old-apiserver-scheduler-gate-on
      Examples:
        | cell                                    | API server                                                               | scheduler                                                               |
        | old API server, gate-on scheduler       | the API server runs Kubernetes 1.36                                      | the feature gate "DRADeviceCompatibilityGroups" is on in the scheduler  |

      @KEP-5963/version-skew/apiserver-gate-off-old-scheduler
      Examples:
        | cell                                    | API server                                                               | scheduler                                                               |
        | gate-off API server, old scheduler      | the feature gate "DRADeviceCompatibilityGroups" is off in the API server | the scheduler runs Kubernetes 1.36                                      |

      @KEP-5963/version-skew/apiserver-gate-off-scheduler-gate-off
      Examples:
        | cell                                    | API server                                                               | scheduler                                                               |
        | gate-off API server, gate-off scheduler | the feature gate "DRADeviceCompatibilityGroups" is off in the API server | the feature gate "DRADeviceCompatibilityGroups" is off in the scheduler |

      @KEP-5963/version-skew/apiserver-gate-off-scheduler-gate-on
      Examples:
        | cell                                    | API server                                                               | scheduler                                                               |
        | gate-off API server, gate-on scheduler  | the feature gate "DRADeviceCompatibilityGroups" is off in the API server | the feature gate "DRADeviceCompatibilityGroups" is on in the scheduler  |

      @KEP-5963/version-skew/apiserver-gate-on-old-scheduler
      Examples:
        | cell                                    | API server                                                               | scheduler                                                               |
        | gate-on API server, old scheduler       | the feature gate "DRADeviceCompatibilityGroups" is on in the API server  | the scheduler runs Kubernetes 1.36                                      |

    @case:devices-skipped
    @KEP-5963/version-skew/apiserver-gate-on-scheduler-gate-off
    @KEP-5963/version-skew/rollout-apiserver-before-scheduler
    Scenario: A device with groups is allocated once DRADeviceCompatibilityGroups is on in the scheduler
      Given the feature gate "DRADeviceCompatibilityGroups" is on in the API server
      And the feature gate "DRADeviceCompatibilityGroups" is off in the scheduler
      When the driver publishes the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 | attribute kind |
        | mig    | memory 40Gi            | mig                       | string mig     |
        | vgpu   | memory 40Gi            | vgpu                      | string vgpu    |
      And a pod "p" that uses ResourceClaim "mig" is created
      And a pod "q" that uses ResourceClaim "plain" is created
      And the cluster reaches a steady state
      Then pod "p" is Pending
      And pod "q" is Running
      When the feature gate "DRADeviceCompatibilityGroups" is turned on in the scheduler
      And the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "mig" is allocated exactly
        | device |
        | mig    |

    @case:full-feature
    @KEP-5963/version-skew/apiserver-gate-on-scheduler-gate-on
    Scenario: With DRADeviceCompatibilityGroups on, a pod for an incompatible device stays Pending
      When the driver publishes the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 | attribute kind |
        | mig    | memory 40Gi            | mig                       | string mig     |
        | vgpu   | memory 40Gi            | vgpu                      | string vgpu    |
      And a pod "p" that uses ResourceClaim "mig" is created
      And the cluster reaches a steady state
      And a pod "q" that uses ResourceClaim "vgpu" is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      And pod "q" is Pending
      And ResourceClaim "vgpu" is not allocated

    @case:upgrade-changes-nothing
    @KEP-5963/version-skew/upgrade-leaves-behaviour
    Scenario: An upgrade to Kubernetes 1.37 does not change allocations until a driver declares groups
      Given the API server and the scheduler run Kubernetes 1.36
      When the driver publishes the devices
        | device | consumesCounters gpu-0 | attribute kind |
        | mig    | memory 40Gi            | string mig     |
        | vgpu   | memory 40Gi            | string vgpu    |
      And a pod "p" that uses ResourceClaim "mig" is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      When the API server and the scheduler restart with the release under test
      And a pod "q" that uses ResourceClaim "vgpu" is created
      And the cluster reaches a steady state
      Then ResourceClaim "mig" keeps its allocation
      And pod "p" is Running
      And pod "q" is Running
