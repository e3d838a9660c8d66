@profile:kep @profile:since-1.35
Feature: Limits of the three quotas of one class, reached by pods and claims
  Each quota is compared with the adjusted use: an object that fits exactly is stored, one device more is refused.

  Background:
    Given a device class "mygpuclass" for "example.com/gpu"
    And a node "dra"
    And the devices
      | device | node |
      | gpu-0  | dra  |
      | gpu-1  | dra  |
      | gpu-2  | dra  |
      | gpu-3  | dra  |
      | gpu-4  | dra  |
      | gpu-5  | dra  |

  Rule: A limit is reached by whatever counts in it

    @case:beside-claims-of-3-and-a-limit-of-5-a-pod-that
    @KEP-5004/quota/limit-enforced-after-adjustment @KEP-5004/quota/explicit-counts-resource-claims
    @KEP-5004/quota/implicit-counts-claims-and-explicit-dra
    Scenario Outline: Beside claims of 3 and a limit of 5 a pod that requests <asked> of "<resource>" <what>
      Given a quota "q" of 5 of "requests.<resource>"
      And a claim "c" requesting 2 devices of class "mygpuclass"
      And a claim "d" requesting 1 device of class "mygpuclass"
      When the cluster settles
      And a pod "p" that requests <asked> of "<resource>" is created
      Then it <what>

      Examples:
        | resource                                      | asked | what                     |
        | example.com/gpu                               | 2     | is stored                |
        | example.com/gpu                               | 3     | is rejected as Forbidden |
        | deviceclass.resource.kubernetes.io/mygpuclass | 2     | is stored                |
        | deviceclass.resource.kubernetes.io/mygpuclass | 3     | is rejected as Forbidden |

    @case:beside-a-pod-with-2-of-and-a-limit-of-5-of-a-claim
    @KEP-5004/quota/limit-enforced-after-adjustment
    Scenario Outline: Beside a pod with 2 of "<resource>" and a limit of 5 of "<quota>" a claim of <asked> <what>
      Given a quota "q" of 5 of "<quota>"
      And a pod "p" that requests 2 of "<resource>"
      When the cluster settles
      Then pod "p" runs on node "dra"
      And quota "q" counts 2 of "<quota>"
      When a claim "c" requesting <asked> devices of class "mygpuclass" is created
      Then it <what>

      @KEP-5004/quota/explicit-counts-resource-claims
      Examples:
        | resource                                      | quota                                                  | asked | what                     |
        | example.com/gpu                               | requests.example.com/gpu                               | 3     | is stored                |
        | example.com/gpu                               | requests.example.com/gpu                               | 4     | is rejected as Forbidden |

      @KEP-5004/quota/implicit-counts-claims-and-explicit-dra
      Examples:
        | resource                                      | quota                                                  | asked | what                     |
        | example.com/gpu                               | requests.deviceclass.resource.kubernetes.io/mygpuclass | 3     | is stored                |
        | example.com/gpu                               | requests.deviceclass.resource.kubernetes.io/mygpuclass | 4     | is rejected as Forbidden |
        | deviceclass.resource.kubernetes.io/mygpuclass | requests.deviceclass.resource.kubernetes.io/mygpuclass | 3     | is stored                |
        | deviceclass.resource.kubernetes.io/mygpuclass | requests.deviceclass.resource.kubernetes.io/mygpuclass | 4     | is rejected as Forbidden |

      @KEP-5004/quota/class-counts-special-claims
      Examples:
        | resource                                      | quota                                                  | asked | what                     |
        | example.com/gpu                               | mygpuclass.deviceclass.resource.k8s.io/devices         | 3     | is stored                |
        | example.com/gpu                               | mygpuclass.deviceclass.resource.k8s.io/devices         | 4     | is rejected as Forbidden |
        | deviceclass.resource.kubernetes.io/mygpuclass | mygpuclass.deviceclass.resource.k8s.io/devices         | 3     | is stored                |
        | deviceclass.resource.kubernetes.io/mygpuclass | mygpuclass.deviceclass.resource.k8s.io/devices         | 4     | is rejected as Forbidden |

      @KEP-5004/quota/explicit-counts-implicit-requests
      Examples:
        | resource                                      | quota                                                  | asked | what                     |
        | deviceclass.resource.kubernetes.io/mygpuclass | requests.example.com/gpu                               | 3     | is stored                |
        | deviceclass.resource.kubernetes.io/mygpuclass | requests.example.com/gpu                               | 4     | is rejected as Forbidden |

    @case:beside-2-devices-of-a-device-plugin-and-a-limit-of-4
    @KEP-5004/quota/limit-enforced-after-adjustment
    Scenario Outline: Beside 2 devices of a device plugin and a limit of 4 of "<quota>" a claim of <asked> <what>
      Given a node "plugin" with 2 of "example.com/gpu"
      And a quota "q" of 4 of "<quota>"
      And a pod "p" on node "plugin" that requests 2 of "example.com/gpu"
      When the cluster settles
      And a claim "c" requesting <asked> devices of class "mygpuclass" is created
      Then it <what>

      @KEP-5004/quota/explicit-counts-device-plugin
      Examples:
        | quota                                                  | asked | what                     |
        | requests.example.com/gpu                               | 2     | is stored                |
        | requests.example.com/gpu                               | 3     | is rejected as Forbidden |

      @KEP-5004/quota/implicit-and-class-exclude-device-plugin
      Examples:
        | quota                                                  | asked | what                     |
        | requests.deviceclass.resource.kubernetes.io/mygpuclass | 4     | is stored                |
        | requests.deviceclass.resource.kubernetes.io/mygpuclass | 5     | is rejected as Forbidden |
        | mygpuclass.deviceclass.resource.k8s.io/devices         | 4     | is stored                |
        | mygpuclass.deviceclass.resource.k8s.io/devices         | 5     | is rejected as Forbidden |

    @case:two-containers-that-request-2-and-are-held-against-a
    @KEP-5004/quota/limit-enforced-after-adjustment @KEP-5004/quota/several-containers
    Scenario Outline: Two containers that request 2 and <second> are held against a limit of 4 together: the pod <what>
      Given a quota "q" of 4 of "requests.example.com/gpu"
      When the cluster settles
      And a pod "p" with the containers is created
        | container | request example.com/gpu | limit example.com/gpu |
        | c0        | 2                       | 2                     |
        | c1        | <second>                | <second>              |
      Then it <what>

      Examples:
        | second | what                     |
        | 2      | is stored                |
        | 3      | is rejected as Forbidden |

  Rule: A special claim needs room in the quota of the other name, too

    @case:without-room-in-a-pod-with-waits-until-a-claim-is
    @KEP-5004/quota/release-on-delete
    Scenario Outline: Without room in "<quota>" a pod with "<resource>" waits, until a claim is deleted
      Given a quota "q" of 3 of "<quota>"
      And a claim "c" requesting 2 devices of class "mygpuclass"
      When the cluster settles
      And a pod "p" that requests 2 of "<resource>" is created
      Then it is stored
      When the cluster settles
      Then pod "p" is pending
      And pod "p" has no special claim
      And quota "q" counts 2 of "<quota>"
      When claim "c" is deleted
      And the cluster settles
      Then pod "p" runs on node "dra"
      And quota "q" counts 2 of "<quota>"

      @KEP-5004/quota/explicit-counts-implicit-requests
      Examples:
        | resource                                      | quota                                                  |
        | deviceclass.resource.kubernetes.io/mygpuclass | requests.example.com/gpu                               |

      @KEP-5004/quota/implicit-counts-claims-and-explicit-dra
      Examples:
        | resource                                      | quota                                                  |
        | example.com/gpu                               | requests.deviceclass.resource.kubernetes.io/mygpuclass |

  Rule: The gate decides what a limit is compared with

    @case:claims-use-up-the-quota-of-the-extended-resource
    @KEP-5004/quota/worked-example-before-adjustment @KEP-5004/quota/after-enablement-and-upgrade
    @KEP-5004/quota/limit-enforced-after-adjustment @profile:kep @profile:from-1.35-to-1.36
    Scenario: Claims use up the quota of the extended resource while the gate is on, and not while it is off
      Given a node "plugin" with 4 of "example.com/gpu"
      And a quota "q" of 2 of "requests.example.com/gpu"
      And a claim "c" requesting 2 devices of class "mygpuclass"
      When the cluster settles
      And a pod "p" that requests 1 of "example.com/gpu" is created
      Then it is rejected as Forbidden
      When the feature gate "DRAExtendedResource" is turned off
      And the cluster settles
      Then quota "q" counts 0 of "requests.example.com/gpu"
      When a pod "p" that requests 2 of "example.com/gpu" is created
      Then it is stored
      When the cluster settles
      Then pod "p" runs on node "plugin"
      When the feature gate "DRAExtendedResource" is turned on
      And the cluster settles
      Then quota "q" counts 4 of "requests.example.com/gpu"
      And pod "p" runs on node "plugin"
      When a pod "r" that requests 1 of "example.com/gpu" is created
      Then it is rejected as Forbidden
      When claim "c" is deleted
      And the cluster settles
      Then quota "q" counts 2 of "requests.example.com/gpu"
