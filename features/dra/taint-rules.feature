Feature: Device taint rules
  An administrator taints devices with a DeviceTaintRule: one taint for all devices that its selector matches. The
  slices of the driver stay as they are.

  Rule: A rule adds one taint to each device it matches

    Background:
      Given the devices
        | device | driver            | pool   |
        | a1     | dra.example.com   | pool-1 |
        | a2     | dra.example.com   | pool-1 |
        | a3     | dra.example.com   | pool-2 |
        | b1     | other.example.com | pool-1 |
        | b2     | other.example.com | pool-2 |

    @DRA/taint-rule/adds-one-taint-to-matching-devices
    Scenario Outline: A claim gets the devices that a rule of effect <effect> does not match
      Given the device taint rule "maintenance"
        | driver          | taint             |
        | dra.example.com | broken=x:<effect> |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | driver            | pool   | device |
        | other.example.com | pool-1 | b1     |
        | other.example.com | pool-2 | b2     |

      Examples:
        | effect     |
        | NoSchedule |
        | NoExecute  |

    @DRA/taint-rule/adds-one-taint-to-matching-devices
    Scenario Outline: A claim for <what> gets nothing when a rule of effect <effect> leaves two of five
      Given the device taint rule "maintenance"
        | driver          | taint             |
        | dra.example.com | broken=x:<effect> |
      And a claim "c" requesting <what>
      When allocation of claim "c" is attempted
      Then nothing fits because of TaintNotTolerated

      Examples:
        | effect     | what        |
        | NoSchedule | 3 devices   |
        | NoExecute  | 3 devices   |
        | NoSchedule | all devices |
        | NoExecute  | all devices |

    @DRA/taint-rule/adds-one-taint-to-matching-devices
    Scenario Outline: A request that tolerates <toleration> gets the devices that a rule taints with <effect>
      Given the device taint rule "maintenance"
        | driver          | taint             |
        | dra.example.com | broken=x:<effect> |
      And a claim "c" with the request
        | request | mode   | count   | tolerations  |
        | r0      | <mode> | <count> | <toleration> |
      When allocation of claim "c" is attempted
      Then claim "c" gets 5 devices

      Examples:
        | effect     | mode       | count | toleration       |
        | NoSchedule | ExactCount | 5     | broken=x         |
        | NoExecute  | ExactCount | 5     | broken:NoExecute |
        | NoSchedule | All        |       | *:NoSchedule     |
        | NoExecute  | All        |       | *                |

    @DRA/taint-rule/adds-one-taint-to-matching-devices
    Scenario Outline: Tolerating <toleration> does not cover the taint broken=x:NoSchedule of a rule
      Given the device taint rule "maintenance"
        | driver          | taint               |
        | dra.example.com | broken=x:NoSchedule |
      And a claim "c" with the request
        | request | count | tolerations  |
        | r0      | 3     | <toleration> |
      When allocation of claim "c" is attempted
      Then nothing fits because of TaintNotTolerated

      Examples:
        | toleration         |
        | broken=y           |
        | broken=x:NoExecute |
        | hot                |

    @DRA/taint-rule/adds-one-taint-to-matching-devices
    Scenario: A request with admin access does not get a device that a rule taints
      Given the device taint rule "maintenance"
        | driver          | taint              |
        | dra.example.com | broken=x:NoExecute |
      And a claim "c" with the request
        | request | count | admin |
        | r0      | 3     | yes   |
      When allocation of claim "c" is attempted
      Then nothing fits because of TaintNotTolerated

    @DRA/taint-rule/adds-one-taint-to-matching-devices
    Scenario Outline: A request that tolerates <tolerations> gets the devices that two rules taint
      Given the device taint rule "first"
        | driver          | taint               |
        | dra.example.com | broken=x:NoSchedule |
      And the device taint rule "second"
        | pool   | taint        |
        | pool-1 | hot:<effect> |
      And a claim "c" with the request
        | request | count | tolerations   |
        | r0      | 5     | <tolerations> |
      When allocation of claim "c" is attempted
      Then claim "c" gets 5 devices

      Examples:
        | effect     | tolerations           |
        | NoSchedule | broken, hot           |
        | NoExecute  | *:NoExecute, broken=x |

    @DRA/taint-rule/adds-one-taint-to-matching-devices
    Scenario: A request that tolerates the taint of one rule gets no device that another rule taints
      Given the device taint rule "first"
        | driver          | taint               |
        | dra.example.com | broken=x:NoSchedule |
      And the device taint rule "second"
        | pool   | taint          |
        | pool-1 | hot:NoSchedule |
      And a claim "c" with the request
        | request | count | tolerations |
        | r0      | 2     | broken      |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | driver            | pool   | device |
        | dra.example.com   | pool-2 | a3     |
        | other.example.com | pool-2 | b2     |

    @DRA/taint-rule/adds-one-taint-to-matching-devices
    Scenario: A request for three devices gets nothing when two are left that the rule it does not tolerate spares
      Given the device taint rule "first"
        | driver          | taint               |
        | dra.example.com | broken=x:NoSchedule |
      And the device taint rule "second"
        | pool   | taint          |
        | pool-1 | hot:NoSchedule |
      And a claim "c" with the request
        | request | count | tolerations |
        | r0      | 3     | broken      |
      When allocation of claim "c" is attempted
      Then nothing fits because of TaintNotTolerated

    @DRA/taint-rule/adds-one-taint-to-matching-devices
    Scenario: A rule of effect None does not keep devices from being allocated
      Given the device taint rule "note"
        | driver          | taint         |
        | dra.example.com | broken=x:None |
      And a claim "c" requesting 5 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets 5 devices
      But until Kubernetes 1.34, because in these releases taints of every effect keep devices away: nothing fits

    @DRA/taint-rule/adds-one-taint-to-matching-devices
    Scenario: The rule of the documentation taints the devices of its driver and of no other
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
      And a claim "c" with the requests
        | request | count | tolerations                         |
        | r0      | 3     | dra.example.com/unhealthy:NoExecute |
        | r1      | 2     |                                     |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | driver            | device |
        | r0      | dra.example.com   | a1     |
        | r0      | dra.example.com   | a2     |
        | r0      | dra.example.com   | a3     |
        | r1      | other.example.com | b1     |
        | r1      | other.example.com | b2     |

  Rule: The taints of the driver stay

    @DRA/taint-rule/adds-one-taint-to-matching-devices
    Scenario Outline: Tolerating <tolerations> covers the driver's <driver> but not a rule's <rule>
      Given the devices
        | device | taints   |
        | d1     | <driver> |
        | d2     | <driver> |
      And the device taint rule "maintenance"
        | device | taint  |
        | d1     | <rule> |
      And a claim "c" with the request
        | request | tolerations   |
        | r0      | <tolerations> |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d2     |

      Examples:
        | driver              | rule                | tolerations         |
        | hot:NoSchedule      | broken=x:NoSchedule | hot                 |
        | hot:NoExecute       | broken=x:NoSchedule | hot                 |
        | broken=y:NoSchedule | broken=x:NoSchedule | broken=y            |
        | broken=x:NoSchedule | broken=x:NoExecute  | broken=x:NoSchedule |

    @DRA/taint-rule/adds-one-taint-to-matching-devices
    Scenario Outline: Tolerating <tolerations> does not cover both the driver's <driver> and a rule's <rule>
      Given the devices
        | device | taints   |
        | d1     | <driver> |
      And the device taint rule "maintenance"
        | device | taint  |
        | d1     | <rule> |
      And a claim "c" with the request
        | request | tolerations   |
        | r0      | <tolerations> |
      When allocation of claim "c" is attempted
      Then nothing fits because of TaintNotTolerated

      Examples:
        | driver              | rule                | tolerations         |
        | hot:NoSchedule      | broken=x:NoSchedule | hot                 |
        | hot:NoSchedule      | broken=x:NoSchedule | broken              |
        | broken=y:NoSchedule | broken=x:NoSchedule | broken=x            |
        | broken=y:NoSchedule | broken=x:NoSchedule | broken=y            |
        | broken=x:NoSchedule | broken=x:NoExecute  | broken=x:NoSchedule |

  Rule: Without a selector a rule matches nothing

    @DRA/taint-rule/no-selector-matches-nothing
    Scenario Outline: A rule of effect <effect> without a selector leaves <what> to a claim
      Given the devices
        | device |
        | d1     |
        | d2     |
      And the device taint rule "everything"
        | taint             |
        | broken=x:<effect> |
      And a claim "c" requesting <what>
      When allocation of claim "c" is attempted
      Then claim "c" gets 2 devices
      But until Kubernetes 1.36, because these releases match every device without a selector: nothing fits because of TaintNotTolerated
      But since Kubernetes 1.38, because its first alpha was cut before 1.37 learnt that such a rule matches nothing: nothing fits because of TaintNotTolerated

      Examples:
        | effect     | what        |
        | NoSchedule | 2 devices   |
        | NoExecute  | all devices |

    @DRA/taint-rule/no-selector-matches-nothing
    Scenario: A rule without a selector taints nothing beside a rule that taints one device
      Given the devices
        | device |
        | d1     |
        | d2     |
      And the device taint rule "everything"
        | taint               |
        | broken=x:NoSchedule |
      And the device taint rule "first"
        | device | taint          |
        | d1     | hot:NoSchedule |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d2     |
      But until Kubernetes 1.36, because these releases match every device without a selector: nothing fits because of TaintNotTolerated
      But since Kubernetes 1.38, because its first alpha was cut before 1.37 learnt that such a rule matches nothing: nothing fits because of TaintNotTolerated

    @DRA/taint-rule/no-selector-matches-nothing
    Scenario: A rule with an empty selector taints every device
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
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of TaintNotTolerated

  Rule: A driver, a pool or a device may be named

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

    @DRA/taint-rule/select-by-driver
    Scenario Outline: A rule for a driver leaves only the device of another driver on <node>
      Given the device taint rule "maintenance"
        | driver          | taint             |
        | dra.example.com | broken:NoSchedule |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "<node>" is attempted
      Then claim "c" gets exactly
        | driver            | pool   | device |
        | other.example.com | <node> | gpu-0  |

      Examples:
        | node   |
        | node-1 |
        | node-2 |

    @DRA/taint-rule/select-by-driver
    Scenario Outline: A claim for three devices gets nothing on <node> when a rule for a driver leaves two
      Given the device taint rule "maintenance"
        | driver            | taint             |
        | other.example.com | broken:NoSchedule |
      And a claim "c" requesting 3 devices
      When allocation of claim "c" on node "<node>" is attempted
      Then nothing fits because of TaintNotTolerated

      Examples:
        | node   |
        | node-1 |
        | node-2 |

    @DRA/taint-rule/select-by-driver
    Scenario Outline: A rule for the driver <driver> does not taint the devices of other drivers
      Given objects that the API server does not admit, because a rule selects by the very name, whatever it is
      And the device taint rule "maintenance"
        | driver   | taint             |
        | <driver> | broken:NoSchedule |
      And a claim "c" requesting 3 devices
      When allocation of claim "c" on node "node-1" is attempted
      Then claim "c" gets 3 devices

      Examples:
        | driver              |
        | example.com         |
        | sub.dra.example.com |
        | dra.example.co      |
        | *                   |

    @DRA/taint-rule/select-by-pool
    Scenario: A rule for a pool taints the devices of every driver in pools of that name
      Given the device taint rule "maintenance"
        | pool   | taint             |
        | node-1 | broken:NoSchedule |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "node-1" is attempted
      Then nothing fits because of TaintNotTolerated

    @DRA/taint-rule/select-by-pool
    Scenario: A rule for a pool does not taint the devices of another pool
      Given the device taint rule "maintenance"
        | pool   | taint             |
        | node-1 | broken:NoSchedule |
      And a claim "c" requesting all devices
      When allocation of claim "c" on node "node-2" is attempted
      Then claim "c" gets 3 devices

    @DRA/taint-rule/select-by-pool
    Scenario Outline: A claim for <what> gets <count> on <node> when a rule taints a pool of one driver
      Given the device taint rule "maintenance"
        | driver          | pool   | taint             |
        | dra.example.com | node-1 | broken:NoSchedule |
      And a claim "c" requesting <what>
      When allocation of claim "c" on node "<node>" is attempted
      Then claim "c" has the result
        | driver            | pool   |
        | other.example.com | <node> |
      And claim "c" gets <count> devices

      Examples:
        | node   | what        | count |
        | node-1 | 1 device    | 1     |
        | node-2 | all devices | 3     |

    @DRA/taint-rule/select-by-device
    Scenario Outline: A rule for a device name leaves only the device of another name on <node>
      Given the device taint rule "maintenance"
        | device | taint             |
        | gpu-0  | broken:NoSchedule |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "<node>" is attempted
      Then claim "c" gets exactly
        | driver          | pool   | device |
        | dra.example.com | <node> | gpu-1  |

      Examples:
        | node   |
        | node-1 |
        | node-2 |

    @DRA/taint-rule/select-by-device
    Scenario: A claim for two devices gets nothing when a rule for a device name leaves one
      Given the device taint rule "maintenance"
        | device | taint             |
        | gpu-0  | broken:NoSchedule |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" on node "node-1" is attempted
      Then nothing fits because of TaintNotTolerated

    @DRA/taint-rule/select-by-device
    Scenario: A rule for one device of one pool of one driver leaves the others of the node
      Given the device taint rule "maintenance"
        | driver          | pool   | device | taint             |
        | dra.example.com | node-1 | gpu-0  | broken:NoSchedule |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" on node "node-1" is attempted
      Then claim "c" gets exactly
        | driver            | pool   | device |
        | dra.example.com   | node-1 | gpu-1  |
        | other.example.com | node-1 | gpu-0  |

    @DRA/taint-rule/select-by-device
    Scenario: A rule for one device of one pool does not taint a device of the same name in another pool
      Given the device taint rule "maintenance"
        | driver          | pool   | device | taint             |
        | dra.example.com | node-1 | gpu-0  | broken:NoSchedule |
      And a claim "c" requesting all devices
      When allocation of claim "c" on node "node-2" is attempted
      Then claim "c" gets 3 devices

  @profile:kep @profile:until-1.34
  Rule: A class or a CEL expression may select the devices

    Background:
      Given the devices
        | device | driver            | attribute dra.example.com/color | attribute dra.example.com/uuid |
        | d1     | dra.example.com   | string black                    | string X                       |
        | d2     | dra.example.com   | string white                    | string Y                       |
        | d3     | other.example.com | string black                    | string Z                       |
        | d4     | other.example.com | string white                    |                                |
      And a device class "black" that selects
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a device class "every"

    @DRA/taint-rule/select-by-class
    Scenario: A rule for a class leaves only the devices outside the class
      Given the device taint rule "maintenance"
        | class | taint             |
        | black | broken:NoSchedule |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d2     |
        | d4     |

    @DRA/taint-rule/select-by-class
    Scenario Outline: A claim for <what> gets nothing when a rule taints the class <class>
      Given the device taint rule "maintenance"
        | class   | taint             |
        | <class> | broken:NoSchedule |
      And a claim "c" requesting <what>
      When allocation of claim "c" is attempted
      Then nothing fits because of TaintNotTolerated

      Examples:
        | class | what                      |
        | black | 3 devices                 |
        | black | all devices               |
        | black | 1 device of class "black" |
        | every | 1 device                  |

    @DRA/taint-rule/select-by-class
    Scenario: A rule for a class and a driver leaves the devices that match only one of them
      Given the device taint rule "maintenance"
        | class | driver          | taint             |
        | black | dra.example.com | broken:NoSchedule |
      And a claim "c" requesting 3 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d2     |
        | d3     |
        | d4     |

    @DRA/taint-rule/select-by-class
    Scenario: A rule for a class that does not exist taints nothing
      Given the device taint rule "maintenance"
        | class | taint             |
        | brown | broken:NoSchedule |
      And a claim "c" requesting all devices
      When allocation of claim "c" is attempted
      Then claim "c" gets 4 devices

    @DRA/taint-rule/select-by-cel
    Scenario: A rule with a CEL expression taints the device with a certain attribute, whatever its name
      Given the device taint rule "maintenance"
        | selector                                         | taint             |
        | device.attributes["dra.example.com"].uuid == "Y" | broken:NoSchedule |
      And a claim "c" requesting 3 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
        | d3     |
        | d4     |

    @DRA/taint-rule/select-by-cel
    Scenario: A rule with a CEL expression does not taint a device without the attribute
      Given the device taint rule "maintenance"
        | selector                                         | taint             |
        | device.attributes["dra.example.com"].uuid != "Y" | broken:NoSchedule |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d2     |
        | d4     |

    @DRA/taint-rule/select-by-cel
    Scenario Outline: A claim for <what> gets nothing when a rule with a CEL expression leaves three of four
      Given the device taint rule "maintenance"
        | selector                                         | taint             |
        | device.attributes["dra.example.com"].uuid == "X" | broken:NoSchedule |
      And a claim "c" requesting <what>
      When allocation of claim "c" is attempted
      Then nothing fits because of TaintNotTolerated

      Examples:
        | what        |
        | 4 devices   |
        | all devices |

    @DRA/taint-rule/select-by-cel
    Scenario Outline: A rule with a CEL expression and <what> taints only the device that matches all
      Given the device taint rule "maintenance"
        | driver   | device   | class   | selector                                              | taint             |
        | <driver> | <device> | <class> | device.attributes["dra.example.com"].color == "black" | broken:NoSchedule |
      And a claim "c" requesting 3 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
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
  Rule: The expression follows the hardware

    @DRA/taint-rule/select-by-cel
    Scenario Outline: A rule for the device with the uuid X leaves <left> when the uuids are <first> and <second>
      Given the devices
        | device | attribute uuid  |
        | gpu-0  | string <first>  |
        | gpu-3  | string <second> |
      And the device taint rule "broken-instance"
        | selector                                         | taint             |
        | device.attributes["dra.example.com"].uuid == "X" | broken:NoSchedule |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | <left> |

      Examples:
        | first | second | left  |
        | X     | Y      | gpu-3 |
        | Y     | X      | gpu-0 |

  Rule: Without the features rules have no effect

    Background:
      Given the devices
        | device |
        | d1     |
      And the device taint rule "maintenance"
        | driver          | taint             |
        | dra.example.com | broken:NoSchedule |
      And a claim "c" requesting 1 device

    @DRA/feature-gate/alpha-features-off-by-default
    Scenario: A rule taints no device while DRADeviceTaints is off
      Given the feature gate "DRADeviceTaints" is off
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d1     |

    @DRA/feature-gate/alpha-features-off-by-default @profile:since-1.35
    Scenario: A rule taints no device while DRADeviceTaintRules is off
      Given the feature gate "DRADeviceTaintRules" is off
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d1     |
