Feature: The API server and the scheduler differ in version or feature gate
  | kube-apiserver \ kube-scheduler | old         | new, gate off   | new, gate on |
  | old                             | Pre-KEP     | Pre-KEP         | Pre-KEP      |
  | new, gate off                   | Pre-KEP     | Pre-KEP         | Pre-KEP      |
  | new, gate on                    | Driver-only | Devices skipped | Full feature |

  Pre-KEP and Driver-only: the scheduler sees no constraints, or does not know them, and allocates devices
  that are incompatible. Devices skipped: devices with groups are left alone, others are scheduled normally.
  Full feature: incompatible devices are not allocated together.

  Background:
    Given the counter set
      | set   | counter memory |
      | gpu-0 | 80Gi           |
    And pool "pool-1" says it has 2 slices
    And the device
      | device | pool   | attribute kind |
      | plain  | pool-2 | string plain   |
    And a claim "mig" with the request
      | request | selector                                             |
      | r0      | device.attributes["dra.example.com"].kind == "mig"   |
    And a claim "vgpu" with the request
      | request | selector                                             |
      | r0      | device.attributes["dra.example.com"].kind == "vgpu"  |
    And a claim "plain" with the request
      | request | selector                                             |
      | r0      | device.attributes["dra.example.com"].kind == "plain" |

  @profile:kep @profile:since-1.37
  Rule: Each cell of the table

    @case:where-and-incompatible-devices-are-allocated
    Scenario Outline: <cell>: where <API server> and <scheduler>, incompatible devices are allocated together
      Given <API server>
      And <scheduler>
      When the driver publishes the devices
        | device | counters gpu-0 | groups gpu-0 | attribute kind |
        | mig    | memory 40Gi    | mig          | string mig     |
        | vgpu   | memory 40Gi    | vgpu         | string vgpu    |
      And a pod "p" that uses claim "mig" is created
      And the cluster settles
      And a pod "q" that uses claim "vgpu" is created
      And the cluster settles
      Then pod "p" runs
      And pod "q" runs

      @KEP-5963/version-skew/old-apiserver-old-scheduler
      Examples:
        | cell        | API server                                                              | scheduler                                                             |
        | Pre-KEP     | the API server runs Kubernetes 1.36                                     | the scheduler runs Kubernetes 1.36                                    |

      @KEP-5963/version-skew/old-apiserver-scheduler-gate-off
      Examples:
        | cell        | API server                                                              | scheduler                                                             |
        | Pre-KEP     | the API server runs Kubernetes 1.36                                     | the feature gate "DRADeviceCompatibilityGroups" is off in the scheduler |

      @KEP-5963/version-skew/old-apiserver-scheduler-gate-on
      Examples:
        | cell        | API server                                                              | scheduler                                                             |
        | Pre-KEP     | the API server runs Kubernetes 1.36                                     | the feature gate "DRADeviceCompatibilityGroups" is on in the scheduler |

      @KEP-5963/version-skew/apiserver-gate-off-old-scheduler
      Examples:
        | cell        | API server                                                              | scheduler                                                             |
        | Pre-KEP     | the feature gate "DRADeviceCompatibilityGroups" is off in the API server | the scheduler runs Kubernetes 1.36                                    |

      @KEP-5963/version-skew/apiserver-gate-off-scheduler-gate-off
      Examples:
        | cell        | API server                                                              | scheduler                                                             |
        | Pre-KEP     | the feature gate "DRADeviceCompatibilityGroups" is off in the API server | the feature gate "DRADeviceCompatibilityGroups" is off in the scheduler |

      @KEP-5963/version-skew/apiserver-gate-off-scheduler-gate-on
      Examples:
        | cell        | API server                                                              | scheduler                                                             |
        | Pre-KEP     | the feature gate "DRADeviceCompatibilityGroups" is off in the API server | the feature gate "DRADeviceCompatibilityGroups" is on in the scheduler |

      @KEP-5963/version-skew/apiserver-gate-on-old-scheduler
      Examples:
        | cell        | API server                                                              | scheduler                                                             |
        | Driver-only | the feature gate "DRADeviceCompatibilityGroups" is on in the API server  | the scheduler runs Kubernetes 1.36                                    |
