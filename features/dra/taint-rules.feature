Feature: Taints from DeviceTaintRules
  An administrator taints devices with a DeviceTaintRule, which adds one taint to all devices that its selector
  matches. The ResourceSlices of the driver do not change.

  Rule: Allocation of devices tainted by a DeviceTaintRule

    Background:
      Given the devices
        | device | driver            | pool   |
        | a1     | dra.example.com   | pool-1 |
        | a2     | dra.example.com   | pool-1 |
        | a3     | dra.example.com   | pool-2 |
        | b1     | other.example.com | pool-1 |
        | b2     | other.example.com | pool-2 |

    @case:unmatched-devices-allocated
    @DRA/taint-rule/adds-one-taint-to-matching-devices
    Scenario Outline: A ResourceClaim is allocated only devices that no DeviceTaintRule taints
      Given a DeviceTaintRule "maintenance" with
        | driver          | taint             |
        | dra.example.com | broken=x:<effect> |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | driver            | pool   | device |
        | other.example.com | pool-1 | b1     |
        | other.example.com | pool-2 | b2     |

      Examples:
        | effect     |
        | NoSchedule |
        | NoExecute  |

    @case:too-few-unmatched-devices
    @DRA/taint-rule/adds-one-taint-to-matching-devices
    Scenario Outline: A request fails if a DeviceTaintRule leaves too few untainted devices
      Given a DeviceTaintRule "maintenance" with
        | driver          | taint             |
        | dra.example.com | broken=x:<effect> |
      And a ResourceClaim "c" requesting <what>
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of TaintNotTolerated

      Examples:
        | effect     | what        |
        | NoSchedule | 3 devices   |
        | NoExecute  | 3 devices   |
        | NoSchedule | all devices |
        | NoExecute  | all devices |

    @case:rule-taint-tolerated
    @DRA/taint-rule/adds-one-taint-to-matching-devices
    Scenario Outline: A request that tolerates the taint of a DeviceTaintRule is allocated the tainted devices
      Given a DeviceTaintRule "maintenance" with
        | driver          | taint             |
        | dra.example.com | broken=x:<effect> |
      And a ResourceClaim "c" with the request
        | request | allocationMode | count   | tolerations  |
        | r0      | <mode>         | <count> | <toleration> |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated 5 devices

      Examples:
        | effect     | mode       | count | toleration       |
        | NoSchedule | ExactCount | 5     | broken=x         |
        | NoExecute  | ExactCount | 5     | broken:NoExecute |
        | NoSchedule | All        |       | *:NoSchedule     |
        | NoExecute  | All        |       | *                |

    @case:rule-taint-not-tolerated
    @DRA/taint-rule/adds-one-taint-to-matching-devices
    Scenario Outline: A toleration of another key, value or effect does not tolerate a DeviceTaintRule's taint
      Given a DeviceTaintRule "maintenance" with
        | driver          | taint               |
        | dra.example.com | broken=x:NoSchedule |
      And a ResourceClaim "c" with the request
        | request | count | tolerations  |
        | r0      | 3     | <toleration> |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of TaintNotTolerated

      Examples:
        | toleration         |
        | broken=y           |
        | broken=x:NoExecute |
        | hot                |

    @case:admin-access-not-exempt
    @DRA/taint-rule/adds-one-taint-to-matching-devices
    Scenario: A request with adminAccess is not allocated devices that a DeviceTaintRule taints
      Given a DeviceTaintRule "maintenance" with
        | driver          | taint              |
        | dra.example.com | broken=x:NoExecute |
      And a ResourceClaim "c" with the request
        | request | count | adminAccess |
        | r0      | 3     | yes         |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of TaintNotTolerated

    @case:both-rule-taints-tolerated
    @DRA/taint-rule/adds-one-taint-to-matching-devices
    Scenario Outline: A request that tolerates the taints of two DeviceTaintRules is allocated their devices
      Given a DeviceTaintRule "first" with
        | driver          | taint               |
        | dra.example.com | broken=x:NoSchedule |
      And a DeviceTaintRule "second" with
        | pool   | taint        |
        | pool-1 | hot:<effect> |
      And a ResourceClaim "c" with the request
        | request | count | tolerations   |
        | r0      | 5     | <tolerations> |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated 5 devices

      Examples:
        | effect     | tolerations           |
        | NoSchedule | broken, hot           |
        | NoExecute  | *:NoExecute, broken=x |

    @case:pod-waits-for-devices-of-two-rules
    @DRA/taint-rule/adds-one-taint-to-matching-devices @DRA/taint-rule/lifetime @profile:kep @profile:since-1.34
    Scenario: A pod stays Pending while two DeviceTaintRules together taint all devices
      Given a DeviceTaintRule "first" with
        | driver          | taint             |
        | dra.example.com | broken:NoSchedule |
      And a DeviceTaintRule "second" with
        | driver            | taint             |
        | other.example.com | broken:NoSchedule |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      When DeviceTaintRule "second" is updated with
        | field                      | value              |
        | spec.deviceSelector.driver | nobody.example.com |
      And the cluster reaches a steady state
      Then pod "p" is Running

    @case:one-of-two-rule-taints-tolerated
    @DRA/taint-rule/adds-one-taint-to-matching-devices
    Scenario: A device tainted by two DeviceTaintRules is not allocated if only one taint is tolerated
      Given a DeviceTaintRule "first" with
        | driver          | taint               |
        | dra.example.com | broken=x:NoSchedule |
      And a DeviceTaintRule "second" with
        | pool   | taint          |
        | pool-1 | hot:NoSchedule |
      And a ResourceClaim "c" with the request
        | request | count | tolerations |
        | r0      | 2     | broken      |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | driver            | pool   | device |
        | dra.example.com   | pool-2 | a3     |
        | other.example.com | pool-2 | b2     |

    @case:too-few-for-one-tolerated-rule
    @DRA/taint-rule/adds-one-taint-to-matching-devices
    Scenario: A request fails if a DeviceTaintRule that it does not tolerate taints too many devices
      Given a DeviceTaintRule "first" with
        | driver          | taint               |
        | dra.example.com | broken=x:NoSchedule |
      And a DeviceTaintRule "second" with
        | pool   | taint          |
        | pool-1 | hot:NoSchedule |
      And a ResourceClaim "c" with the request
        | request | count | tolerations |
        | r0      | 3     | broken      |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of TaintNotTolerated

    @case:rule-effect-none
    @DRA/taint/other-effects-keep-nobody-away
    Scenario: A DeviceTaintRule with effect None does not prevent the allocation of devices
      Given a DeviceTaintRule "note" with
        | driver          | taint         |
        | dra.example.com | broken=x:None |
      And a ResourceClaim "c" requesting 5 devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated 5 devices
      But until Kubernetes 1.34, because in these releases taints of every effect prevent allocation: no allocation is possible

    @case:example-rule
    @DRA/taint-rule/adds-one-taint-to-matching-devices
    Scenario: The example DeviceTaintRule in the DRA docs taints devices of its driver only
      Given the objects
        """
        apiVersion: resource.k8s.io/v1alpha3
        kind: DeviceTaintRule
        metadata:
          name: example
        spec:
          deviceSelector:
            driver: dra.example.com
          taint:
            key: dra.example.com/unhealthy
            value: Broken
            effect: NoExecute
        """
      And a ResourceClaim "c" with the requests
        | request | count | tolerations                         |
        | r0      | 3     | dra.example.com/unhealthy:NoExecute |
        | r1      | 2     |                                     |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | driver            | device |
        | r0      | dra.example.com   | a1     |
        | r0      | dra.example.com   | a2     |
        | r0      | dra.example.com   | a3     |
        | r1      | other.example.com | b1     |
        | r1      | other.example.com | b2     |

  Rule: Taints of the driver together with a DeviceTaintRule

    @case:only-driver-taint-tolerated
    @DRA/taint-rule/adds-one-taint-to-matching-devices
    Scenario Outline: A device tainted by a DeviceTaintRule is skipped if only the driver's taint is tolerated
      Given the devices
        | device | taints   |
        | d1     | <driver> |
        | d2     | <driver> |
      And a DeviceTaintRule "maintenance" with
        | device | taint  |
        | d1     | <rule> |
      And a ResourceClaim "c" with the request
        | request | tolerations   |
        | r0      | <tolerations> |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d2     |

      Examples:
        | driver              | rule                | tolerations         |
        | hot:NoSchedule      | broken=x:NoSchedule | hot                 |
        | hot:NoExecute       | broken=x:NoSchedule | hot                 |
        | broken=y:NoSchedule | broken=x:NoSchedule | broken=y            |
        | broken=x:NoSchedule | broken=x:NoExecute  | broken=x:NoSchedule |

    @case:both-taints-must-be-tolerated
    @DRA/taint-rule/adds-one-taint-to-matching-devices
    Scenario Outline: A device is not allocated unless the taints of driver and DeviceTaintRule are tolerated
      Given the devices
        | device | taints   |
        | d1     | <driver> |
      And a DeviceTaintRule "maintenance" with
        | device | taint  |
        | d1     | <rule> |
      And a ResourceClaim "c" with the request
        | request | tolerations   |
        | r0      | <tolerations> |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of TaintNotTolerated

      Examples:
        | driver              | rule                | tolerations         |
        | hot:NoSchedule      | broken=x:NoSchedule | hot                 |
        | hot:NoSchedule      | broken=x:NoSchedule | broken              |
        | broken=y:NoSchedule | broken=x:NoSchedule | broken=x            |
        | broken=y:NoSchedule | broken=x:NoSchedule | broken=y            |
        | broken=x:NoSchedule | broken=x:NoExecute  | broken=x:NoSchedule |

  Rule: DeviceTaintRules without deviceSelector

    @case:no-selector
    @DRA/taint-rule/no-selector-matches-nothing
    Scenario Outline: A DeviceTaintRule without deviceSelector taints no device
      Given the devices
        | device |
        | d1     |
        | d2     |
      And a DeviceTaintRule "everything" with
        | taint             |
        | broken=x:<effect> |
      And a ResourceClaim "c" requesting <what>
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated 2 devices
      But until Kubernetes 1.36, because in these releases a DeviceTaintRule without selector taints every device: no allocation is possible because of TaintNotTolerated

      Examples:
        | effect     | what        |
        | NoSchedule | 2 devices   |
        | NoExecute  | all devices |

    @case:no-selector-with-other-rule
    @DRA/taint-rule/no-selector-matches-nothing
    Scenario: A DeviceTaintRule without deviceSelector taints no device even if another rule exists
      Given the devices
        | device |
        | d1     |
        | d2     |
      And a DeviceTaintRule "everything" with
        | taint               |
        | broken=x:NoSchedule |
      And a DeviceTaintRule "first" with
        | device | taint          |
        | d1     | hot:NoSchedule |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d2     |
      But until Kubernetes 1.36, because in these releases a DeviceTaintRule without selector taints every device: no allocation is possible because of TaintNotTolerated

    @case:empty-selector
    @DRA/taint-rule/no-selector-matches-nothing
    Scenario: A DeviceTaintRule with an empty deviceSelector taints every device
      Given the devices
        | device | driver            |
        | d1     | dra.example.com   |
        | d2     | other.example.com |
      And the objects
        """
        apiVersion: resource.k8s.io/v1alpha3
        kind: DeviceTaintRule
        metadata: {name: everything}
        spec:
          deviceSelector: {}
          taint: {key: broken, value: x, effect: NoSchedule}
        """
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of TaintNotTolerated

  Rule: Selection of devices by driver, pool and name in a DeviceTaintRule

    Background:
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | driver            | pool   | node   |
        | gpu-0  | dra.example.com   | node-1 | node-1 |
        | gpu-1  | dra.example.com   | node-1 | node-1 |
        | gpu-0  | dra.example.com   | node-2 | node-2 |
        | gpu-1  | dra.example.com   | node-2 | node-2 |
        | gpu-0  | other.example.com | node-1 | node-1 |
        | gpu-0  | other.example.com | node-2 | node-2 |

    @case:driver-rule-other-driver
    @DRA/taint-rule/select-by-driver
    Scenario Outline: A DeviceTaintRule for a driver leaves the devices of other drivers available on each node
      Given a DeviceTaintRule "maintenance" with
        | driver          | taint             |
        | dra.example.com | broken:NoSchedule |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "<node>" is attempted
      Then ResourceClaim "c" is allocated exactly
        | driver            | pool   | device |
        | other.example.com | <node> | gpu-0  |

      Examples:
        | node   |
        | node-1 |
        | node-2 |

    @case:driver-rule-too-few-left
    @DRA/taint-rule/select-by-driver
    Scenario Outline: A request fails on a node if a driver's DeviceTaintRule leaves too few untainted devices
      Given a DeviceTaintRule "maintenance" with
        | driver            | taint             |
        | other.example.com | broken:NoSchedule |
      And a ResourceClaim "c" requesting 3 devices
      When allocation of ResourceClaim "c" on node "<node>" is attempted
      Then no allocation is possible because of TaintNotTolerated

      Examples:
        | node   |
        | node-1 |
        | node-2 |

    @case:driver-rule-exact-name
    @DRA/taint-rule/select-by-driver
    Scenario Outline: A DeviceTaintRule with a similar driver name does not taint the driver's devices
      Given objects that the API server rejects, because driver names are compared as a whole, even invalid ones
      And a DeviceTaintRule "maintenance" with
        | driver   | taint             |
        | <driver> | broken:NoSchedule |
      And a ResourceClaim "c" requesting 3 devices
      When allocation of ResourceClaim "c" on node "node-1" is attempted
      Then ResourceClaim "c" is allocated 3 devices

      Examples:
        | driver              |
        | example.com         |
        | sub.dra.example.com |
        | dra.example.co      |
        | *                   |

    @case:pool-rule-every-driver
    @DRA/taint-rule/select-by-pool
    Scenario: A DeviceTaintRule for a pool name taints the devices of every driver's pool of that name
      Given a DeviceTaintRule "maintenance" with
        | pool   | taint             |
        | node-1 | broken:NoSchedule |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "node-1" is attempted
      Then no allocation is possible because of TaintNotTolerated

    @case:pool-rule-other-pool
    @DRA/taint-rule/select-by-pool
    Scenario: A DeviceTaintRule for a pool name does not taint devices of another pool
      Given a DeviceTaintRule "maintenance" with
        | pool   | taint             |
        | node-1 | broken:NoSchedule |
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" on node "node-2" is attempted
      Then ResourceClaim "c" is allocated 3 devices

    @case:driver-and-pool-rule
    @DRA/taint-rule/select-by-pool
    Scenario Outline: A DeviceTaintRule for a driver and a pool taints only the devices that match both
      Given a DeviceTaintRule "maintenance" with
        | driver          | pool   | taint             |
        | dra.example.com | node-1 | broken:NoSchedule |
      And a ResourceClaim "c" requesting <what>
      When allocation of ResourceClaim "c" on node "<node>" is attempted
      Then ResourceClaim "c" is allocated at least
        | driver            | pool   |
        | other.example.com | <node> |
      And ResourceClaim "c" is allocated <count> devices

      Examples:
        | node   | what        | count |
        | node-1 | 1 device    | 1     |
        | node-2 | all devices | 3     |

    @case:device-rule-other-names
    @DRA/taint-rule/select-by-device
    Scenario Outline: A DeviceTaintRule for a device name taints devices of that name in all pools and drivers
      Given a DeviceTaintRule "maintenance" with
        | device | taint             |
        | gpu-0  | broken:NoSchedule |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "<node>" is attempted
      Then ResourceClaim "c" is allocated exactly
        | driver          | pool   | device |
        | dra.example.com | <node> | gpu-1  |

      Examples:
        | node   |
        | node-1 |
        | node-2 |

    @case:device-rule-too-few-left
    @DRA/taint-rule/select-by-device
    Scenario: A request fails if a DeviceTaintRule for a device name leaves too few untainted devices
      Given a DeviceTaintRule "maintenance" with
        | device | taint             |
        | gpu-0  | broken:NoSchedule |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" on node "node-1" is attempted
      Then no allocation is possible because of TaintNotTolerated

    @case:full-selector-one-device
    @DRA/taint-rule/select-by-device
    Scenario: A DeviceTaintRule for driver, pool and device taints only that device of the node
      Given a DeviceTaintRule "maintenance" with
        | driver          | pool   | device | taint             |
        | dra.example.com | node-1 | gpu-0  | broken:NoSchedule |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" on node "node-1" is attempted
      Then ResourceClaim "c" is allocated exactly
        | driver            | pool   | device |
        | dra.example.com   | node-1 | gpu-1  |
        | other.example.com | node-1 | gpu-0  |

    @case:full-selector-other-pool
    @DRA/taint-rule/select-by-device
    Scenario: A DeviceTaintRule for driver, pool and device taints no device in another pool
      Given a DeviceTaintRule "maintenance" with
        | driver          | pool   | device | taint             |
        | dra.example.com | node-1 | gpu-0  | broken:NoSchedule |
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" on node "node-2" is attempted
      Then ResourceClaim "c" is allocated 3 devices

  @profile:kep @profile:until-1.34
  Rule: Selection of devices by DeviceClass and CEL in a DeviceTaintRule

    Background:
      Given the devices
        | device | driver            | attribute dra.example.com/color | attribute dra.example.com/uuid |
        | d1     | dra.example.com   | string black                    | string X                       |
        | d2     | dra.example.com   | string white                    | string Y                       |
        | d3     | other.example.com | string black                    | string Z                       |
        | d4     | other.example.com | string white                    |                                |
      And a DeviceClass "black" with the selector
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a DeviceClass "every"

    @case:class-rule-outside-class
    @DRA/taint-rule/select-by-class
    Scenario: A DeviceTaintRule for a DeviceClass does not taint devices outside the DeviceClass
      Given a DeviceTaintRule "maintenance" with
        | deviceClassName | taint             |
        | black           | broken:NoSchedule |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d2     |
        | d4     |

    @case:class-rule-inside-class
    @DRA/taint-rule/select-by-class
    Scenario Outline: A DeviceTaintRule for a DeviceClass taints the devices of the DeviceClass
      Given a DeviceTaintRule "maintenance" with
        | deviceClassName | taint             |
        | <class>         | broken:NoSchedule |
      And a ResourceClaim "c" requesting <what>
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of TaintNotTolerated

      Examples:
        | class | what                      |
        | black | 3 devices                 |
        | black | all devices               |
        | black | 1 device of class "black" |
        | every | 1 device                  |

    @case:class-and-driver-rule
    @DRA/taint-rule/select-by-class
    Scenario: A DeviceTaintRule for a DeviceClass and a driver taints only devices that match both
      Given a DeviceTaintRule "maintenance" with
        | deviceClassName | driver          | taint             |
        | black           | dra.example.com | broken:NoSchedule |
      And a ResourceClaim "c" requesting 3 devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d2     |
        | d3     |
        | d4     |

    @case:missing-class-rule
    @DRA/taint-rule/select-by-class
    Scenario: A DeviceTaintRule for a DeviceClass that does not exist taints no device
      Given a DeviceTaintRule "maintenance" with
        | deviceClassName | taint             |
        | brown           | broken:NoSchedule |
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated 4 devices

    @case:cel-rule-matches-attribute
    @DRA/taint-rule/select-by-cel
    Scenario: A DeviceTaintRule with a CEL selector taints the device with the selected attribute value
      Given a DeviceTaintRule "maintenance" with
        | selector                                         | taint             |
        | device.attributes["dra.example.com"].uuid == "Y" | broken:NoSchedule |
      And a ResourceClaim "c" requesting 3 devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |
        | d3     |
        | d4     |

    @case:cel-rule-missing-attribute
    @DRA/taint-rule/select-by-cel
    Scenario: A DeviceTaintRule with a CEL selector does not taint a device without the attribute
      Given a DeviceTaintRule "maintenance" with
        | selector                                         | taint             |
        | device.attributes["dra.example.com"].uuid != "Y" | broken:NoSchedule |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d2     |
        | d4     |

    @case:cel-rule-too-few-left
    @DRA/taint-rule/select-by-cel
    Scenario Outline: A request fails if a DeviceTaintRule with a CEL selector leaves too few untainted devices
      Given a DeviceTaintRule "maintenance" with
        | selector                                         | taint             |
        | device.attributes["dra.example.com"].uuid == "X" | broken:NoSchedule |
      And a ResourceClaim "c" requesting <what>
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of TaintNotTolerated

      Examples:
        | what        |
        | 4 devices   |
        | all devices |

    @case:cel-rule-with-other-criteria
    @DRA/taint-rule/select-by-cel
    Scenario Outline: A DeviceTaintRule taints only devices that match its CEL selector and its other criteria
      Given a DeviceTaintRule "maintenance" with
        | driver   | device   | deviceClassName | selector                                              | taint             |
        | <driver> | <device> | <class>         | device.attributes["dra.example.com"].color == "black" | broken:NoSchedule |
      And a ResourceClaim "c" requesting 3 devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d2     |
        | <left> |
        | d4     |

      Examples:
        | what                      | driver            | device | class | left |
        | a driver                  | dra.example.com   |        |       | d3   |
        | another driver            | other.example.com |        |       | d1   |
        | a device name             |                   | d1     |       | d3   |
        | a device name and a class |                   | d3     | black | d1   |

  @profile:kep @profile:until-1.34
  Rule: Selection of a device by its uuid in a DeviceTaintRule

    @case:cel-rule-follows-uuid
    @DRA/taint-rule/select-by-cel
    Scenario Outline: A DeviceTaintRule with a CEL selector on uuid taints the device with that uuid
      Given the devices
        | device | attribute uuid  |
        | gpu-0  | string <first>  |
        | gpu-3  | string <second> |
      And a DeviceTaintRule "broken-instance" with
        | selector                                         | taint             |
        | device.attributes["dra.example.com"].uuid == "X" | broken:NoSchedule |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | <left> |

      Examples:
        | first | second | left  |
        | X     | Y      | gpu-3 |
        | Y     | X      | gpu-0 |

  Rule: Feature gates DRADeviceTaints and DRADeviceTaintRules off

    Background:
      Given the devices
        | device |
        | d1     |
      And a DeviceTaintRule "maintenance" with
        | driver          | taint             |
        | dra.example.com | broken:NoSchedule |
      And a ResourceClaim "c" requesting 1 device

    @case:taints-gate-off
    @DRA/feature-gate/alpha-features-off-by-default
    Scenario: With DRADeviceTaints off, a DeviceTaintRule taints no device
      Given the feature gate "DRADeviceTaints" is off
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d1     |

    @case:taint-rules-gate-off
    @DRA/feature-gate/alpha-features-off-by-default @profile:since-1.35
    Scenario: With DRADeviceTaintRules off, a DeviceTaintRule taints no device
      Given the feature gate "DRADeviceTaintRules" is off
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d1     |
